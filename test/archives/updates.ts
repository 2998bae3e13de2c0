import { name, type Part, typeId, within } from "./_parts.ts";
import type { Reference } from "./_tables.ts";
import { type Binding, block, type Expression, updateOf } from "./expressions.ts";
import type { Type } from "./types.ts";

/** A form of `Update`: its number in the `oneof`, and the fields of its message. */
const form = (number: number, ...parts: readonly Part[]): Expression => updateOf(within(number, ...parts));

export const pure = (type: Type, content: Expression): Expression => form(1, within(1, type), within(2, content));
/** Updates in order, each bound to a name, and the last one, whose result is that of the sequence. */
export const sequence = (bindings: readonly Binding[], last: Expression): Expression => form(2, block(bindings, last));
export const create = (template: Reference, argument: Expression): Expression =>
  form(3, typeId(1, template), within(2, argument));
export const exercise = (template: Reference, choice: string, contract: Expression, argument: Expression): Expression =>
  form(4, typeId(1, template), name(6, choice), within(3, contract), within(5, argument));
export const fetch = (template: Reference, contract: Expression): Expression =>
  form(5, typeId(1, template), within(2, contract));
export const GET_TIME: Expression = form(6);
export const embed = (type: Type, body: Expression): Expression => form(7, within(1, type), within(2, body));
export const tryCatch = (type: Type, body: Expression, binder: string, handler: Expression): Expression =>
  form(11, within(1, type), within(2, body), name(3, binder), within(4, handler));
export const createInterface = (face: Reference, argument: Expression): Expression =>
  form(12, typeId(1, face), within(2, argument));
export const exerciseInterface = (
  face: Reference,
  choice: string,
  contract: Expression,
  argument: Expression,
): Expression => form(13, typeId(1, face), name(2, choice), within(3, contract), within(4, argument));
export const fetchInterface = (face: Reference, contract: Expression): Expression =>
  form(14, typeId(1, face), within(2, contract));
export const ledgerTimeLess = (time: Expression): Expression => form(15, time);
