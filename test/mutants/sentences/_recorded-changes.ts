import { Body } from "../../../src/foundation/http/body.ts";
import type { Exchange } from "../../../src/foundation/http/exchange.ts";
import type { Response } from "../../../src/foundation/http/response.ts";
import type { Json, JsonObject } from "../../../src/foundation/json/json.ts";
import { requestBody, withBody } from "../_mutant.ts";
import type { Labelled } from "./_consumer-day.ts";

/** A fault in the recorded day of an application. */
export interface DayFault {
  readonly id: string;
  /** The profiles in which the checker knows that it is wrong. */
  readonly in: "all" | "releases";
  /** Whether other clients could explain it, so that only a recording of the only client shows it. */
  readonly needsExclusive?: true;
  readonly change: DayChange;
}

type DayChange = (day: readonly Labelled[]) => readonly Labelled[];

/** A further exchange: how its request and its response differ from those of a recorded one. */
type Further = readonly [body: ((body: JsonObject) => JsonObject) | undefined, response: (given: Response) => Answer];

export type Answer = Exchange["response"];

/** The response of an exchange with this label is another one. */
export function answer(label: string, change: (response: Response, request: Exchange["request"]) => Answer): DayChange {
  return (day) => {
    if (!day.some((one) => one.label === label)) throw new Error(`no exchange ${label}`);
    return day.map((one) =>
      one.label === label && one.response.type === "response"
        ? { ...one, response: change(one.response, one.request) }
        : one,
    );
  };
}

/** Further exchanges after the one with this label: its request with another body, and another response. */
export function after(label: string, ...further: readonly Further[]): DayChange {
  return (day) =>
    day.flatMap((one) => {
      if (one.label !== label || one.response.type !== "response") return [one];
      const { request, response } = one;
      const made = further.map(([body, change], index) => ({
        label: `${label}-further-${index}`,
        request: body === undefined ? request : withBody(request, body(requestBody(request))),
        response: change(response),
      }));
      return [one, ...made];
    });
}

/** The exchange with this label is replaced by others made from it. */
export function instead(label: string, ...made: readonly Further[]): DayChange {
  const added = after(label, ...made);
  return (day) => added(day).filter((one) => one.label !== label);
}

/** An exchange with another target or body, after the one with this label. */
export function beside(label: string, target: string, response: Answer, body?: Json): DayChange {
  return (day) =>
    day.flatMap((one) => {
      if (one.label !== label) return [one];
      const request = body === undefined ? one.request : withBody(one.request, body);
      return [one, { label: `${label}-beside`, request: { ...request, target }, response }];
    });
}

export const same = (response: Response): Response => response;
export const withMember =
  (name: string, value: Json): ((body: JsonObject) => JsonObject) =>
  (body) => ({ ...body, [name]: value });
export const refused =
  (text: string): (() => Response) =>
  () => ({
    type: "response",
    status: 400,
    headers: [["Content-Type", "text/plain"]],
    body: new Body(text),
  });
