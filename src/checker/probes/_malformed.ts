import { formatJson, type JsonObject } from "../../foundation/json/json.ts";
import type { ProbeCall, ProbeContext } from "../probing/probe.ts";

/** The body of a call: JSON, or a text that is not JSON. */
export type InvalidBody = Pick<ProbeCall, "body" | "text">;

/**
 * Bodies that break the schema of a valid body: empty, not JSON, truncated, not an object, without a required member,
 * with a member of the wrong type.
 */
export function malformed(
  good: JsonObject,
  { required, illTyped }: { readonly required: readonly string[]; readonly illTyped: JsonObject },
): readonly InvalidBody[] {
  return [
    ...[noBody, "not JSON", formatJson(good).slice(0, -1)].map((text) => ({ text })),
    ...[null, [], "text"].map((body) => ({ body })),
    ...required.map((member) => ({ body: without(good, member) })),
    ...Object.entries(illTyped).map(([member, value]) => ({ body: { ...good, [member]: value } })),
  ];
}

/** Sends a call with one body after another. */
export async function sendEach(
  { send }: Pick<ProbeContext, "send">,
  { body: _, ...call }: ProbeCall,
  bodies: readonly InvalidBody[],
): Promise<void> {
  for (const body of bodies) await send({ ...call, ...body });
}

const noBody = "";

function without(object: JsonObject, member: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== member));
}
