import type { FailedResponse } from "../../foundation/http/failed-response.ts";
import { mediaType } from "../../foundation/http/header.ts";
import type { Response } from "../../foundation/http/response.ts";
import { isJsonObject, type Json, jsonIn } from "../../foundation/json/json.ts";
import { compareValues } from "./compare-values.ts";
import type { Correspondence } from "./correspondence.ts";
import type { Difference } from "./difference.ts";

/** The step whose responses are compared: its place in the walk, and whether the control API gave them. */
export interface ComparedStep {
  readonly place: number;
  readonly isControl: boolean;
  /** Whether the sides are nodes that share nothing, see `Comparison`. */
  readonly areNodesApart?: boolean;
}

/**
 * The first difference between what the oracle and the target answered, up to the names that each gives by itself.
 * Texts for people, trace and correlation ids, and headers but the media type do not count.
 */
export function compareResponses(
  oracle: Response | FailedResponse,
  target: Response | FailedResponse,
  step: ComparedStep,
  correspondence: Correspondence,
): Difference | undefined {
  const first = differencesBetween(oracle, target, step, correspondence).next();
  return first.done === true ? undefined : first.value;
}

/** All differences between two responses. Whoever takes only some of them matches the names only so far. */
export function* differencesBetween(
  oracle: Response | FailedResponse,
  target: Response | FailedResponse,
  { place, isControl, areNodesApart = false }: ComparedStep,
  correspondence: Correspondence,
): Generator<Difference> {
  if (oracle.type === "broken" || target.type === "broken") {
    if (oracle.type !== target.type) yield different("response", shape(oracle), shape(target));
    return;
  }
  if (oracle.status !== target.status) yield different("status", oracle.status, target.status);
  if (oracle.status !== target.status || isControl) return;
  const [expected, came] = [mediaType(oracle.headers), mediaType(target.headers)];
  if (expected !== came) yield different("media-type", expected, came);
  else if (expected !== "application/json") yield* compareTexts(oracle, target);
  else {
    const [left, right] = [jsonIn(oracle.body), jsonIn(target.body)];
    if (left !== undefined && right !== undefined) {
      const [isError, isLegacy] = [oracle.status >= 400, isLegacyError(left)];
      yield* compareValues(left, right, { isError, isLegacy, place, correspondence, areNodesApart });
    } else if (left !== right) yield different("value", left, right);
  }
}

/** A failure that reaches clients as a bare status has a sentence for its code (Canton 3.5, JsSchema.scala). */
function isLegacyError(error: Json): boolean {
  return isJsonObject(error) && error["errorCategory"] === -1 && error["code"] !== "NA";
}

/** A text is for people; where both begin with an error code, that counts. */
function* compareTexts(oracle: Response, target: Response): Generator<Difference> {
  const [expected, came] = [codeIn(oracle), codeIn(target)];
  if (expected !== undefined && came !== undefined && expected !== came) yield different("value", expected, came);
}

function codeIn({ body }: Response): string | undefined {
  return /^([A-Z][A-Z0-9_]+): /.exec(new TextDecoder().decode(body))?.[1];
}

function shape(response: Response | FailedResponse): Json {
  return response.type === "broken" ? `nothing: ${response.reason ?? response.kind}` : response.status;
}

function different(aspect: Difference["aspect"], oracle: Json | undefined, target: Json | undefined): Difference {
  return { aspect, pointer: "", oracle, target, clash: undefined };
}
