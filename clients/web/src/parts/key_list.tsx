// The whole game by keyboard, on one card.

const KEYS: [string, string][] = [
  ["← →  J L", "walk the hand"],
  ["S H D C", "jump to a suit"],
  ["U O", "lowest and highest of the suit"],
  ["Enter", "play the card"],
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
    <dl class="keys">
      {KEYS.map(([key, what]) => (
        <div key={key}>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
  );
}
