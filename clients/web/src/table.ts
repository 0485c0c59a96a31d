// The table as the page sees it: its state, and what the player can do.

import { computed, type Signal, signal } from "@preact/signals";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { after as browserAfter } from "./browser";
import { formatRules, rulesOpen, selectedRules, showRuleError } from "./house_rules";
import { forgetPositions } from "./motion";
import { announceScene, toast } from "./notices";
import type { Card, Refusal, Seat, Update } from "./protocol";
import { ScenePlayer } from "./scene_player";
import { session, updateSession } from "./session";
import { settings } from "./settings";
import type { Answer, Request, SourceEvent, TableSource } from "./source";
import { applyUpdate, forgetTable, INITIAL_STATE, type TableState } from "./table_state";
import type { Level } from "./text/levels";

export class Table {
  readonly state: Signal<TableState>;
  /** Changes only when the page goes to another table or home, so the address can follow it. */
  readonly code = computed(() => this.state.value.code);
  /** Whether a request may be made now. Requests survive a reconnect, but none is begun without a connection. */
  readonly canAct = computed(() => this.state.value.connection === "open" && !this.state.value.asking);
  private readonly player: ScenePlayer;

  constructor(
    private readonly source: TableSource,
    initial: Partial<TableState> = {},
    after = browserAfter,
  ) {
    this.state = signal<TableState>({ ...INITIAL_STATE, ...initial });
    this.player = new ScenePlayer((scene) => {
      const before = this.state.peek().scene?.view ?? null;
      this.set({ scene });
      announceScene(scene, before);
    }, after);
    source.onUpdate((event) => this.receive(event));
  }

  /** Makes a table with the selected rules; if they contradict each other, opens the rules with the error. */
  async make(): Promise<void> {
    this.reset(null);
    this.source.open();
    const answer = await this.request({ t: "make_table", rules: formatRules(selectedRules.peek()) });
    if (answer?.t === "refusal" && answer.code === "bad_rules") showRuleError(answer);
    else this.accepted(answer);
  }

  async playWithBots(): Promise<void> {
    await this.make();
    if (this.state.peek().update) await this.start();
  }

  /** Joins a table, for the first time or again. */
  async join(code: string): Promise<void> {
    this.reset(code);
    this.source.open();
    const answer = await this.source.ask({ t: "join_table", code, n: null, e: null });
    if (answer?.t === "refusal" && this.state.peek().code === code) this.rejectJoin(answer);
  }

  /** Goes where the address points: to a table, or home for null. */
  goTo(code: string | null): void {
    if (code === this.state.peek().code) return;
    if (code === null) this.goHome();
    else void this.join(code);
  }

  // What follows is bound, to be used as event handlers. A request resolves to whether it was accepted.

  /** Goes to the home screen; the seat is kept. */
  readonly goHome = (): void => {
    this.source.close();
    this.reset(null);
    rulesOpen.value = false;
  };

  /** Takes the seat back from another window. */
  readonly playHere = (): void => this.source.open();
  /** Shows the newest update at once. */
  readonly skipAnimation = (): void => this.player.skipAnimation();

  readonly sit = (seat: Seat) => this.ask({ t: "sit", seat });
  /** Seats a bot, or changes the level of the bot on that seat. */
  readonly addBot = (seat: Seat, level: Level) => this.ask({ t: "add_bot", seat, level });
  readonly dropBot = (seat: Seat) => this.ask({ t: "drop_bot", seat });
  readonly start = () => this.ask({ t: "start", level: settings.peek().botLevel });
  readonly look = () => this.ask({ t: "look" });
  readonly bid = (tricks: number, blind = false) => this.ask({ t: "bid", on: this.newestId(), bid: tricks, blind });
  readonly pass = (cards: readonly Card[]) => this.ask({ t: "pass", on: this.newestId(), cards: [...cards] });
  readonly play = (card: Card) => this.ask({ t: "play", on: this.newestId(), card });
  readonly nextHand = () => this.ask({ t: "next_hand", on: this.newestId() });

  /** Takes the hand back from the bot that plays for the player: joining again does. */
  readonly takeBack = async (): Promise<void> => {
    this.skipAnimation();
    const request = this.rejoinRequest();
    if (request) await this.ask(request);
  };

  async leave(): Promise<void> {
    const phase = this.state.peek().update?.view.phase;
    if (!(await this.ask({ t: "leave" }))) return;
    if (phase === "lobby" || phase === "over") updateSession({ table: null });
    this.goHome();
  }

  changeSeats(changingSeats: boolean): void {
    this.set({ changingSeats });
  }

  /** The request that continues at the newest update; null before the first one. */
  rejoinRequest(): Request | null {
    const { update } = this.state.peek();
    return update && { t: "join_table", code: update.code, n: update.n, e: update.e };
  }

  private receive(event: SourceEvent): void {
    switch (event.t) {
      case "update":
        return this.applyUpdate(event);
      case "presence":
        if (event.code === this.state.peek().code) this.set({ present: event.present });
        return;
      case "refusal":
        if (event.re === null) toast(event.text);
        return;
      case "state":
        return this.set({ connection: event.state });
      case "delayed":
        return this.set({ delayed: event.text });
      case "name_rejected":
        toast(event.text);
        return updateSession({ name: "" });
      case "rejoin_refused":
        return this.rejectJoin(event.refusal);
    }
  }

  private applyUpdate(update: Update): void {
    const before = this.state.peek();
    const next = applyUpdate(before, update, performance.now());
    if (next === before) return;
    if (next.deals !== before.deals) forgetPositions();
    this.state.value = next;
    updateSession({ table: update.code });
    this.player.add(update);
  }

  /** The table cannot be joined: its screen says why. */
  private rejectJoin(joinRefusal: Refusal): void {
    const { code } = this.state.peek();
    if (session.peek().table === code) updateSession({ table: null });
    this.reset(code);
    this.set({ joinRefusal });
  }

  private reset(code: string | null): void {
    this.player.clear();
    this.state.value = { ...forgetTable(this.state.peek()), code };
  }

  private set(change: Partial<TableState>): void {
    this.state.value = { ...this.state.peek(), ...change };
  }

  /** Makes a request and returns whether it was accepted. */
  private async ask(request: Request): Promise<boolean> {
    return this.accepted(await this.request(request));
  }

  /** Only one request at a time: null while another waits for its answer. */
  private async request(request: Request): Promise<Answer> {
    if (this.state.peek().asking) return null;
    this.set({ asking: true });
    const answer = await this.source.ask(request);
    this.set({ asking: false });
    return answer;
  }

  /** Returns whether the answer is no refusal; shows a refusal as a toast. */
  private accepted(answer: Answer): boolean {
    if (answer) this.set({ delayed: null });
    if (answer?.t === "refusal") toast(answer.text);
    return answer !== null && answer.t !== "refusal";
  }

  /** The id of the newest update, which the player acts on. */
  private newestId(): string {
    return this.state.peek().update?.e ?? "";
  }
}

export const TableContext = createContext<Table | null>(null);

export function useTable(): Table {
  const table = useContext(TableContext);
  if (!table) throw new Error("there is no table in this context");
  return table;
}
