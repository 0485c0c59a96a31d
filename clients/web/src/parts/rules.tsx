// The rules of this table, in the words of the server.

import { rulesCard } from "../table";

export function Rules() {
  return (
    <ul class="rules" data-testid="rules">
      {rulesCard.value.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}
