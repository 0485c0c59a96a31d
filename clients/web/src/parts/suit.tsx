// The four suit signs, drawn here so that they look the same everywhere.

import type { Suit } from "../cards";

const PATHS: Record<Suit, string> = {
  S: "M50 4C60 24 92 40 92 64c0 14-10 22-21 22-7 0-13-3-16-8 1 9 4 14 11 18H34c7-4 10-9 11-18-3 5-9 8-16 8C18 86 8 78 8 64 8 40 40 24 50 4Z",
  H: "M50 94C36 78 6 58 6 32 6 16 18 8 29 8c9 0 17 5 21 14C54 13 62 8 71 8c11 0 23 8 23 24 0 26-30 46-44 62Z",
  D: "M50 3 88 50 50 97 12 50Z",
  C: "M50 5c12 0 21 9 21 21 0 7-3 12-7 16 3-2 6-2 9-2 12 0 21 9 21 21s-9 21-21 21c-8 0-14-4-18-10 1 10 4 16 12 21H33c8-5 11-11 12-21-4 6-10 10-18 10C15 82 6 73 6 61s9-21 21-21c3 0 6 0 9 2-4-4-7-9-7-16C29 14 38 5 50 5Z",
};

export function SuitSymbol({ suit }: { suit: Suit }) {
  return (
    <svg class="suit-sign" viewBox="0 0 100 100" aria-hidden="true">
      <path d={PATHS[suit]} />
    </svg>
  );
}
