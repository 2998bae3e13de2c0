import { isJsonObject, type Json } from "../../src/foundation/json/json.ts";
import type { Beginning, Call, Walk, WalkEvent } from "./_event.ts";
import type { Step } from "./steps/_step.ts";

/** Whether a walk still breaks what the first one broke. */
export type Breaks = (walk: Walk) => Promise<boolean>;

/** Walks that are tried at most. */
const triesMax = 1500;

/**
 * The smallest walk found that breaks the same invariant. It removes events, then parts of events. The same walk always
 * shrinks the same way.
 */
export async function shrunk(walk: Walk, breaks: Breaks): Promise<Walk> {
  const shrinking = new Shrinking(walk, breaks);
  let before: Walk;
  do {
    before = shrinking.best;
    await shrinking.leaveOutEvents();
    await shrinking.simplifyEvents();
    await shrinking.simplifyBeginning();
  } while (shrinking.best !== before && !shrinking.isTired);
  return shrinking.best;
}

class Shrinking {
  best: Walk;
  readonly #breaks: Breaks;
  #tries = 0;

  constructor(walk: Walk, breaks: Breaks) {
    this.best = walk;
    this.#breaks = breaks;
  }

  get isTired(): boolean {
    return this.#tries >= triesMax;
  }

  /** From the end, halves first: no event depends on the last ones. */
  async leaveOutEvents(): Promise<void> {
    for (let size = Math.ceil(this.best.events.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
      for (let end = this.best.events.length; end > 0; end -= size) {
        const { beginning, events } = this.best;
        const left = events.toSpliced(Math.max(0, end - size), Math.min(size, end));
        await this.#try({ beginning, events: left });
      }
  }

  async simplifyEvents(): Promise<void> {
    for (let place = 0; place < this.best.events.length; place += 1) {
      let isSimpler = true;
      while (isSimpler && !this.isTired) {
        isSimpler = false;
        const event = this.best.events[place];
        for (const simpler of event === undefined ? [] : simplerEvents(event))
          if (await this.#try({ ...this.best, events: this.best.events.with(place, simpler) })) {
            isSimpler = true;
            break;
          }
      }
    }
  }

  async simplifyBeginning(): Promise<void> {
    const simpler: readonly Partial<Beginning>[] = [
      { clock: "frozen" },
      { authentication: "bearer" },
      { journalMax: 1000 },
      { scenario: "quickstart.arazzo.yaml" },
      { profile: "spec" },
      { seed: 1 },
    ];
    for (const part of simpler) {
      const beginning = { ...this.best.beginning, ...part };
      if (JSON.stringify(beginning) !== JSON.stringify(this.best.beginning))
        await this.#try({ ...this.best, beginning });
    }
  }

  async #try(walk: Walk): Promise<boolean> {
    if (this.isTired) return false;
    this.#tries += 1;
    const isBroken = await this.#breaks(walk);
    if (isBroken) this.best = walk;
    return isBroken;
  }
}

/** Events that do a little less, the simplest first. */
function simplerEvents(event: WalkEvent): readonly WalkEvent[] {
  const ofDefault = "world" in event && event.world !== 0 ? [{ ...event, world: 0 }] : [];
  switch (event.type) {
    case "request":
      return [...ofDefault, ...simplerCalls(event.call).map((call) => ({ ...event, call }))];
    case "together":
      return [
        ...event.calls.map((one): WalkEvent => ({ type: "request", ...one })),
        ...(event.calls.length < 3
          ? []
          : event.calls.map((_, place) => ({ ...event, calls: event.calls.toSpliced(place, 1) }))),
      ];
    case "plan":
      return [
        ...ofDefault,
        ...(event.entries.length < 2
          ? []
          : event.entries.map((_, place) => ({ ...event, entries: event.entries.toSpliced(place, 1) }))),
      ];
    case "fork":
      return [...ofDefault, ...(event.from === "now" ? [] : [{ ...event, from: "now" as const }])];
    default:
      return ofDefault;
  }
}

function simplerCalls(call: Call): readonly Call[] {
  return [
    ...call.mangled.map((_, place) => ({ ...call, mangled: call.mangled.toSpliced(place, 1) })),
    ...(call.via === "path" ? [] : [{ ...call, via: "path" as const }]),
    ...simplerSteps(call.step).map((step) => ({ ...call, step })),
  ];
}

function simplerSteps(step: Step): readonly Step[] {
  const { body, query, rawBody, token } = step;
  return [
    ...(token === "administrator" ? [] : [{ ...step, token: "administrator" as const }]),
    ...(rawBody === undefined ? [] : [{ ...step, rawBody: undefined }]),
    ...(Object.keys(query).length === 0 ? [] : [{ ...step, query: {} }]),
    ...(body === undefined ? [] : simplerValues(body).map((simpler) => ({ ...step, body: simpler }))),
  ];
}

/** The value with one member or entry less, at any place. References stay whole. */
function simplerValues(value: Json): readonly Json[] {
  if (Array.isArray(value)) {
    const entries: readonly Json[] = value;
    return [
      ...entries.map((_, place) => entries.toSpliced(place, 1)),
      ...entries.flatMap((entry, place) => simplerValues(entry).map((simpler) => entries.with(place, simpler))),
    ];
  }
  if (!isJsonObject(value)) return [];
  const members = Object.entries(value);
  if (members.some(([name]) => name.startsWith("$"))) return [];
  return [
    ...members.map((_, place) => Object.fromEntries(members.toSpliced(place, 1))),
    ...members.flatMap(([name, inner]) => simplerValues(inner).map((simpler) => ({ ...value, [name]: simpler }))),
  ];
}
