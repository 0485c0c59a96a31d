// Which bid a key leads to: digits and N choose one, arrows go from one to the next.

const TWO_DIGIT_MS = 1_000; // a digit typed so soon after a 1 makes 10 to 13 of it
const ROW_LENGTH = 7;
const STEPS: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: ROW_LENGTH, ArrowUp: -ROW_LENGTH };

/** Reads digits as they are typed; undefined for a key that is no bid, or one that is not allowed. */
export class TypedBid {
  private oneAt = -Infinity;

  constructor(private readonly now: () => number) {}

  read(key: string, bids: readonly number[]): number | undefined {
    const bid = key.toLowerCase() === "n" ? 0 : /^\d$/.test(key) ? this.number(Number(key), bids) : undefined;
    if (bid === undefined) return undefined;
    this.oneAt = bid === 1 ? this.now() : -Infinity;
    return bids.includes(bid) ? bid : undefined;
  }

  /** What a digit makes with a 1 before it. */
  private number(digit: number, bids: readonly number[]): number {
    const soon = this.now() - this.oneAt < TWO_DIGIT_MS;
    return soon && bids.includes(10 + digit) ? 10 + digit : digit;
  }
}

/** `at` is the place of the number that has the focus; undefined for a key that does not walk. */
export function bidAfterKey(key: string, bids: readonly number[], at: number): number | undefined {
  if (key === "Home") return bids[0];
  if (key === "End") return bids[bids.length - 1];
  if (!(key in STEPS)) return undefined;
  const oneRow = bids.length <= ROW_LENGTH;
  const step = oneRow ? Math.sign(STEPS[key]) : STEPS[key];
  if (Math.abs(step) > 1) return bids[at + step] ?? bids[at];
  return bids[(at + step + bids.length) % bids.length];
}
