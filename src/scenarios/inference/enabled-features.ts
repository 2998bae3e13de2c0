import type { JsonObject } from "../../foundation/json/json.ts";
import { contracts } from "../../foundation/spec/contracts.ts";
import { disabledPart, isServed } from "../../foundation/spec/disabled-part.ts";
import type { RecordedCall } from "./recorded-call.ts";

const features = contracts.profiles.flatMap(({ disables = [] }) => disables);

/** The deprecated features that a node has enabled: those whose requests it serves. */
export class EnabledFeatures {
  readonly #names = new Set<string>();

  note({ exchange, operation, status, errorCode, body }: RecordedCall): void {
    if (operation.api !== "ledger" || !isServed(status, errorCode)) return;
    const request = `${exchange.request.method} ${operation.path}`;
    for (const feature of features)
      if (disabledPart(feature, request, () => body) !== undefined) this.#names.add(feature.feature);
  }

  /** The enabled features that a profile disables, as in a fixture; undefined without one. */
  rowsIn(profile: string): JsonObject | undefined {
    const disabled = contracts.profiles.find(({ name }) => name === profile)?.disables ?? [];
    const enabled = disabled.filter(({ feature }) => this.#names.has(feature));
    return enabled.length === 0 ? undefined : Object.fromEntries(enabled.map(({ feature }) => [feature, true]));
  }
}
