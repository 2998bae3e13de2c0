import type { HandlerResponse } from "../../src/foundation/http/handler.ts";
import type { Request } from "../../src/foundation/http/request.ts";
import type { Json } from "../../src/foundation/json/json.ts";
import type { Spec } from "../../src/foundation/spec/spec.ts";
import type { WorldState } from "../../src/simulator/world/world-state.ts";
import type { HostedWorld } from "../../src/stub/hosting/hosted-world.ts";
import type { JournalEntry } from "../../src/stub/journal/journal-entry.ts";
import { brokenBy, type FailedResponse } from "./_broken.ts";
import { CheckedResponses } from "./_checked-responses.ts";
import { hadPlannedChange, type Met } from "./_met.ts";
import { forbiddenBetween } from "./_transition.ts";
import { must, type StateInvariants } from "./_world-state.ts";

/** What was done to a world, so that another process can do it again. `nowMs` is virtual time. */
export type Act =
  | {
      readonly type: "request";
      readonly nowMs: number;
      readonly request: Request;
      response: HandlerResponse | undefined;
      /** What the journal has of it. */
      entry: JournalEntry | undefined;
    }
  /** A client advanced the clock, possibly by 0: planned events that are due happen. */
  | { readonly type: "advance"; readonly nowMs: number }
  | { readonly type: "plan"; readonly nowMs: number; readonly entries: readonly Json[] }
  | { readonly type: "begin"; readonly nowMs: number; readonly contract: string; readonly to: string }
  | { readonly type: "complete"; readonly nowMs: number; readonly contract: string };

/** A world with the state that an observer expects of it. */
export class WatchedWorld {
  readonly hosted: HostedWorld;
  readonly checked: CheckedResponses;
  /** As it began. */
  readonly initial: WorldState;
  readonly #begun: readonly Act[];
  readonly #isFrozen: boolean;
  acts: Act[];
  /** Answers that the journal must have, and the last of them. */
  #journalled = 0;
  #epoch = 0;
  #lastResponse: HandlerResponse | undefined;
  #last: WorldState;
  /** As the last request left it. */
  #seen: WorldState;

  constructor(hosted: HostedWorld, spec: Spec, begun: readonly Act[]) {
    this.hosted = hosted;
    this.checked = new CheckedResponses(spec);
    this.#begun = [...begun];
    this.acts = [...begun];
    this.initial = hosted.world.elapse();
    this.#last = this.initial;
    this.#seen = this.#last;
    this.#isFrozen = hosted.world.clockMode.type === "frozen";
  }

  get state(): WorldState {
    return this.hosted.world.elapse();
  }

  get begun(): readonly Act[] {
    return this.#begun;
  }

  /** Grows with each reset. A response to an earlier request belongs to an earlier epoch. */
  get epoch(): number {
    return this.#epoch;
  }

  /** A request took effect. What happened since the last one without any request, the rules cannot know. */
  meets(met: Met): void {
    const [was, is] = [this.#seen, met.before];
    const isDisturbed = was.ledger !== is.ledger || was.registry.preapprovals !== is.registry.preapprovals;
    if (isDisturbed || hadPlannedChange(met.before, met.after)) this.checked.cut();
    this.checked.add(met);
    this.#seen = met.after;
  }

  /** A response has gone out. Gives what the journal has of it. */
  responded(response: HandlerResponse): JournalEntry | undefined {
    this.#journalled += 1;
    this.#lastResponse = response;
    const { journal } = this.hosted;
    return journal.at(journal.last)?.entry;
  }

  /** The world is as it began. */
  restarted(): void {
    this.#epoch += 1;
    this.acts = [...this.#begun];
    this.#journalled = 0;
    this.#lastResponse = undefined;
    this.#last = this.state;
    this.#seen = this.#last;
    this.checked.cut();
  }

  /** What does not hold after an event that touched this world, or that must not have. */
  problems(invariants: StateInvariants, isTouched: boolean): readonly FailedResponse[] {
    const [before, after] = [this.#last, this.state];
    this.#last = after;
    return [
      ...(isTouched ? [] : this.#stirred(before, after)),
      ...brokenBy("transition", forbiddenBetween(before, after)),
      ...brokenBy("state", before === after ? [] : invariants.problemsIn(after)),
      ...brokenBy("journal", this.#journalProblems()),
      ...this.checked.take(),
    ];
  }

  /** Without requests to a world only its time may pass. */
  #stirred(before: WorldState, after: WorldState): readonly FailedResponse[] {
    const isQuiet = this.#isFrozen
      ? before === after
      : before.counter === after.counter &&
        before.plan === after.plan &&
        (before.timedDone < after.timedDone || (before.ledger === after.ledger && before.registry === after.registry));
    return isQuiet ? [] : [{ invariant: "isolation", what: "a world changed without a request to it" }];
  }

  #journalProblems(): readonly string[] {
    const { journal } = this.hosted;
    const newest = journal.at(journal.last);
    const { durationMs = 0 } = newest?.entry ?? {};
    return [
      ...must(durationMs >= 0, `its newest exchange took ${durationMs} ms`),
      ...must(journal.last === this.#journalled, `it counts ${journal.last} of ${this.#journalled} exchanges`),
      ...must(journal.dropped <= journal.last, "more was dropped than received"),
      ...must(
        this.#lastResponse === undefined || newest === undefined || newest.entry.response === this.#lastResponse,
        "its newest exchange is another one",
      ),
    ];
  }
}
