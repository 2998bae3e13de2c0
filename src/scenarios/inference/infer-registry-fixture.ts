import type { Exchange } from "../../foundation/http/exchange.ts";
import type { JsonObject } from "../../foundation/json/json.ts";
import { createCallReader } from "./call.ts";
import { Observations } from "./observations.ts";

/** A registry fixture that gives the recorded responses again, and what of the recording no fixture can say. */
export type InferredRegistry =
  | { readonly type: "inferred"; readonly fixture: JsonObject; readonly leftOut: readonly string[] }
  | { readonly type: "refused"; readonly problem: string };

/** Reads the registry's state off transfer-factory lookups; each that comes adds what earlier ones did not show. */
export async function inferRegistryFixture(
  exchanges: AsyncIterable<Exchange> | Iterable<Exchange>,
): Promise<InferredRegistry> {
  const read = createCallReader();
  const observations = new Observations();
  for await (const exchange of exchanges) {
    const call = read(exchange);
    if (call?.operation.api === "registry") observations.note(call);
  }
  if (!observations.hasLookup) {
    return { type: "refused", problem: "has no transfer-factory lookup with status 200" };
  }
  const { registry, leftOut } = observations.beginning("spec");
  return { type: "inferred", fixture: registry.value, leftOut };
}
