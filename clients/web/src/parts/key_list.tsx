// The list of keys.

const BIDDING: [string, string][] = [
  ["1 … 13", "choose a number"],
  ["N", "nil"],
  ["← → ↑ ↓", "move between the numbers"],
  ["Enter", "bid it"],
];

const PLAYING: [string, string][] = [
  ["← →  J L", "move through the hand"],
  ["S H D C", "jump to a suit"],
  ["U O", "lowest and highest of the suit"],
  ["Enter", "play the card"],
];

const ANY_TIME: [string, string][] = [
  ["T", "whose turn"],
  ["R", "this trick"],
  ["Shift R", "last trick"],
  ["V", "bids and tricks"],
  ["P", "score sheet"],
  ["Z", "rules"],
  ["?", "this list"],
];

export function KeyList() {
  return (
    <>
      <Keys title="Bidding" keys={BIDDING} />
      <Keys title="Playing" keys={PLAYING} />
      <Keys title="Any time" keys={ANY_TIME} />
    </>
  );
}

function Keys({ title, keys }: { title: string; keys: [string, string][] }) {
  return (
    <section class="key-group">
      <h3>{title}</h3>
      <dl class="keys">
        {keys.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
