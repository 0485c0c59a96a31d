// The first screen: your name and what you can do, the whole product in one glance.

import { useSignal } from "@preact/signals";
import { asking, changeRules, joinTable, makeTable, playWithBots } from "../actions";
import { parseCode, isCode } from "../address";
import { openLevelDialog } from "../dialogs";
import { selectedRules } from "../house_rules";
import { Logo } from "../parts/logo";
import { NameField } from "../parts/name_field";
import { CardFace, cardClass } from "../parts/card";
import { selectionText } from "../text/rules";
import { loadSession, updateSession, session } from "../session";
import { settings } from "../settings";

export function Home() {
  const name = useSignal(session.value.name);
  const hint = useSignal(false);
  const named = (then: () => void) => (): void => {
    const given = name.value.trim();
    hint.value = given === "";
    if (!given) return document.getElementById("name")?.focus();
    updateSession({ name: given });
    then();
  };
  const table = loadSession().table;
  return (
    <main class="home">
      <header class="home-head">
        <Logo />
        <h1>Fourth Seat</h1>
        <p class="soft">Spades with friends. Bots fill the empty seats.</p>
      </header>
      <div class="home-choices">
        <NameField name={name} hint={hint.value} />
        {table && (
          <Choice id="back-to-table" look="back" title={`Back to table ${table}`} act={named(() => joinTable(table))}>
            Go on where you were.
          </Choice>
        )}
        <Choice id="make-table" look="primary" title="Make a table" act={named(makeTable)}>
          Send friends the link, choose seats, start.
        </Choice>
        <Choice id="play-now" title="Play now with bots" act={named(playWithBots)}>
          {`Three ${settings.value.botLevel} bots, and the cards are dealt.`}
        </Choice>
        <ChosenLines changeRules={() => rememberName(name.value)} />
        <JoinByCode join={(code) => named(() => joinTable(code))()} />
      </div>
      <HomeFan />
    </main>
  );
}

function rememberName(name: string): void {
  if (name.trim()) updateSession({ name: name.trim() });
}

/** By which rules both of the above play, and with what bots. */
function ChosenLines(props: { changeRules(): void }) {
  return (
    <div class="chosen-lines">
      <RulesLine change={props.changeRules} />
      <button type="button" class="chosen-line" data-testid="bot-level" onClick={() => openLevelDialog(null)}>
        Bots: <b>{settings.value.botLevel}</b> · <span>change</span>
      </button>
    </div>
  );
}

function RulesLine({ change }: { change(): void }) {
  const open = (): void => {
    change();
    changeRules();
  };
  return (
    <button type="button" class="chosen-line" data-testid="change-rules" onClick={open}>
      Rules: <b>{selectionText(selectedRules.value)}</b> · <span>change</span>
    </button>
  );
}

interface ChoiceProps {
  id: string;
  look?: string;
  title: string;
  act(): void;
  children: string;
}

function Choice({ id, look = "", title, act, children }: ChoiceProps) {
  return (
    <button type="button" class={`choice-card ${look}`} data-testid={id} disabled={asking.value} onClick={act}>
      <b>{title}</b>
      <span>{children}</span>
    </button>
  );
}

function JoinByCode({ join }: { join(code: string): void }) {
  const typed = useSignal("");
  const submit = (event: Event): void => {
    event.preventDefault();
    if (isCode(typed.value)) join(typed.value);
  };
  return (
    <form class="choice-card join" onSubmit={submit}>
      <label for="code">
        <b>Join by code</b>
        <span>Five letters from a friend.</span>
      </label>
      <input
        id="code"
        class="code-field"
        data-testid="join-code"
        value={typed.value}
        placeholder="KQXZP"
        autocomplete="off"
        autocapitalize="characters"
        spellcheck={false}
        onInput={(event) => (typed.value = event.currentTarget.value = parseCode(event.currentTarget.value))}
      />
      <button type="submit" class="button" data-testid="join-table" disabled={!isCode(typed.value)}>
        Join
      </button>
    </form>
  );
}

/** Four cards, one for each seat. */
function HomeFan() {
  return (
    <div class="home-fan" aria-hidden="true">
      {["KH", "QC", "JD", "AS"].map((card) => (
        <div key={card} class={cardClass(card)}>
          <CardFace card={card} deck="standard" />
        </div>
      ))}
    </div>
  );
}
