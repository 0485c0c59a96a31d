// The rules of a table, in plain words.

import type { RuleSet } from "../protocol";
import { ruleWords } from "../score_words";

export function Rules({ rules }: { rules: RuleSet }) {
  return (
    <ul class="rules" data-testid="rules">
      {ruleWords(rules).map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}
