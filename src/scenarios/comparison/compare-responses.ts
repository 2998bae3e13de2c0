import type { FailedResponse } from "../../foundation/http/failed-response.ts";
import { mediaType } from "../../foundation/http/header.ts";
import type { Response } from "../../foundation/http/response.ts";
import { isJsonObject, type Json, jsonOf } from "../../foundation/json/json.ts";
import { compareValues } from "./compare-values.ts";
import type { Correspondence } from "./correspondence.ts";
import type { Difference } from "./difference.ts";

/** The step whose responses are compared: whether it calls the control API. */
interface ComparedStep {
  readonly isControl: boolean;
}

/**
 * The first difference between the a recorded and a played response. Generated ids are matched one for one. Error texts,
 * trace and correlation ids, and headers other than the media type are ignored.
 */
export function compareResponses(
  recorded: Response | FailedResponse,
  played: Response | FailedResponse,
  step: ComparedStep,
  correspondence: Correspondence,
): Difference | undefined {
  const first = differencesBetween(recorded, played, step, correspondence).next();
  return first.done === true ? undefined : first.value;
}

/** Ids are matched during the iteration: stopping early leaves the rest unmatched. */
function* differencesBetween(
  recorded: Response | FailedResponse,
  played: Response | FailedResponse,
  { isControl }: ComparedStep,
  correspondence: Correspondence,
): Generator<Difference> {
  if (recorded.type === "broken" || played.type === "broken") {
    if (recorded.type !== played.type) yield different("response");
    return;
  }
  if (recorded.status !== played.status) yield different("status");
  if (recorded.status !== played.status || isControl) return;
  const [expected, actual] = [mediaType(recorded.headers), mediaType(played.headers)];
  if (expected !== actual) yield different("media-type");
  else if (expected !== "application/json") yield* compareTexts(recorded, played);
  else {
    const [left, right] = [jsonOf(recorded.body.text()), jsonOf(played.body.text())];
    if (left !== undefined && right !== undefined) {
      const [isError, isLegacy] = [recorded.status >= 400, isLegacyError(left)];
      yield* compareValues(left, right, { isError, isLegacy, correspondence });
    } else if (left !== right) yield different("value");
  }
}

/** A legacy error has a sentence as its code (Canton 3.5, JsSchema.scala). */
function isLegacyError(error: Json): boolean {
  return isJsonObject(error) && error["errorCategory"] === -1 && error["code"] !== "NA";
}

/** Texts are ignored, except for the error codes at their beginning. */
function* compareTexts(recorded: Response, played: Response): Generator<Difference> {
  const [expected, actual] = [codeIn(recorded), codeIn(played)];
  if (expected !== undefined && actual !== undefined && expected !== actual) yield different("value");
}

function codeIn({ body }: Response): string | undefined {
  return /^([A-Z][A-Z0-9_]+): /.exec(body.text())?.[1];
}

function different(aspect: Difference["aspect"]): Difference {
  return { aspect, pointer: "" };
}
