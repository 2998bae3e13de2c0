import { isJsonObject, type Json } from "../../../foundation/json/json.ts";
import { escapeSegment, segmentsOf } from "../../../foundation/spec/operation.ts";

/** The pointer to a member or an element (RFC 6901). */
export function pointerTo(parent: string, name: string | number): string {
  return `${parent}/${escapeSegment(String(name))}`;
}

/** The longest prefix of `pointer` that exists in the value; empty for the whole value. */
export function deepestPointer(value: Json, pointer: string): string {
  let [place, reached]: [Json, string] = [value, ""];
  for (const segment of segmentsOf(pointer)) {
    const next = stepInto(place, segment);
    if (next === undefined) return reached;
    place = next;
    reached = pointerTo(reached, segment);
  }
  return reached;
}

function stepInto(value: Json, segment: string): Json | undefined {
  if (Array.isArray(value)) return /^(?:0|[1-9]\d*)$/.test(segment) ? value[Number(segment)] : undefined;
  return isJsonObject(value) && Object.hasOwn(value, segment) ? value[segment] : undefined;
}

/** The pointers of the enclosing values, without the whole value. */
export function pointersAbove(pointer: string): readonly string[] {
  const ends = [...pointer.matchAll(/\//g)].map(({ index }) => index).filter((index) => index > 0);
  return ends.map((end) => pointer.slice(0, end));
}
