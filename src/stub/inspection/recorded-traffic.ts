import type { Exchange } from "../../foundation/http/exchange.ts";
import { routeOf } from "../../foundation/spec/route-of.ts";
import type { Spec } from "../../foundation/spec/spec.ts";
import type { StatesAround } from "../hosting/hosted-world.ts";
import { defaultWorldId } from "../hosting/world-id.ts";
import { Journal, type JournalLimits } from "../journal/journal.ts";
import type { InspectedTraffic, InspectionSource, Strictness } from "./source.ts";

/** The traffic of a recorder as a source for the inspector: one world without state. */
export class RecordedTraffic implements InspectionSource {
  readonly profile: Spec["profile"];
  readonly worlds: ReadonlyMap<string, InspectedTraffic>;
  readonly wallNowMs: () => number;
  readonly strictness: Strictness;
  readonly #journal: Journal<StatesAround | undefined>;
  readonly #spec: Spec;
  readonly #observers = new Set<(worldId: string) => void>();

  /** `strictness` equals that of the recorder, so both give the same verdict. */
  constructor(spec: Spec, strictness: Strictness, limits: JournalLimits, wallNowMs: () => number) {
    this.strictness = strictness;
    this.#spec = spec;
    this.profile = spec.profile;
    this.wallNowMs = wallNowMs;
    this.#journal = new Journal(limits);
    this.worlds = new Map([[defaultWorldId, { journal: this.#journal }]]);
  }

  add(exchange: Exchange): void {
    const operationId = routeOf(this.#spec, exchange.request)?.operation.operationId;
    this.#journal.add({ ...exchange, virtualAt: exchange.startedAt, operationId, unexpected: undefined }, undefined);
    for (const observer of this.#observers) observer(defaultWorldId);
  }

  observe(observer: (worldId: string) => void): () => void {
    this.#observers.add(observer);
    return () => this.#observers.delete(observer);
  }
}
