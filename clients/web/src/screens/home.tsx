// The home screen: the name, and the ways to a table.

import { useSignal } from "@preact/signals";
import { isCode, parseCode } from "../address";
import { openLevelDialog } from "../dialogs";
import { openRules, selectedRules } from "../house_rules";
import { cardClass, CardFace } from "../parts/card";
import { Logo } from "../parts/logo";
import { NameField, useName } from "../parts/name_field";
import { loadSession, updateSession } from "../session";
import { settings } from "../settings";
import { useTable } from "../table";
import { selectionText } from "../text/rules";

export function Home() {
  const table = useTable();
  const { name, isMissing, withName } = useName();
  const last = loadSession().table;
  return (
    <main class="home">
      <header class="home-head">
        <Logo />
        <h1>Fourth Seat</h1>
        <p class="muted">Spades with friends. Bots fill the empty seats.</p>
      </header>
      <div class="home-choices">
        <NameField name={name} isMissing={isMissing} />
        {last && (
          <Choice id="back-to-table" look="back" title={`Back to table ${last}`} act={withName(() => table.join(last))}>
            Continue where you left off.
          </Choice>
        )}
        <Choice id="make-table" look="primary" title="Make a table" act={withName(() => table.make())}>
          Send friends the link, choose seats, start.
        </Choice>
        <Choice id="play-now" title="Play now with bots" act={withName(() => table.playWithBots())}>
          {`Three ${settings.value.botLevel} bots, and the cards are dealt.`}
        </Choice>
        <NextTable name={name.value.trim()} />
        <JoinByCode join={(code) => withName(() => table.join(code))()} />
      </div>
      <HomeFan />
    </main>
  );
}

/** The rules and bots that both choices above use. */
function NextTable({ name }: { name: string }) {
  const changeRules = (): void => {
    if (name) updateSession({ name });
    openRules();
  };
  return (
    <div class="next-table">
      <button type="button" class="inline-choice" data-testid="change-rules" onClick={changeRules}>
        Rules: <b>{selectionText(selectedRules.value)}</b> · <span>change</span>
      </button>
      <button type="button" class="inline-choice" data-testid="bot-level" onClick={() => openLevelDialog(null)}>
        Bots: <b>{settings.value.botLevel}</b> · <span>change</span>
      </button>
    </div>
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
    <button
      type="button"
      class={`choice-card ${look}`}
      data-testid={id}
      disabled={useTable().state.value.asking}
      onClick={act}
    >
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
