import type { Broken } from "../http/broken.ts";
import { mediaType } from "../http/header.ts";
import { isJsonObject, type Json, jsonIn } from "../http/json.ts";
import type { Response } from "../http/response.ts";
import { compareValues } from "./compare-values.ts";
import type { Correspondence } from "./correspondence.ts";
import type { Difference } from "./difference.ts";

/** The step whose answers are compared: its place in the walk, and whether the control API gave them. */
export interface ComparedStep {
  readonly place: number;
  readonly isControl: boolean;
}

/**
 * The first difference between what the oracle and the target answered, up to the names that each gives by itself.
 * Texts for people, trace and correlation ids, and headers but the media type do not count.
 */
export function compareAnswers(
  oracle: Response | Broken,
  target: Response | Broken,
  step: ComparedStep,
  correspondence: Correspondence,
): Difference | undefined {
  if (oracle.type === "broken" || target.type === "broken")
    return oracle.type === target.type ? undefined : different("answer", shape(oracle), shape(target));
  if (oracle.status !== target.status) return different("status", oracle.status, target.status);
  if (step.isControl) return undefined;
  const [expected, came] = [mediaType(oracle.headers), mediaType(target.headers)];
  if (expected !== came) return different("media-type", expected, came);
  if (expected !== "application/json") return compareTexts(oracle, target);
  const [left, right] = [jsonIn(oracle.body), jsonIn(target.body)];
  if (left === undefined || right === undefined)
    return (left === undefined) === (right === undefined) ? undefined : different("value", left, right);
  const isError = oracle.status >= 400;
  return compareValues(left, right, { isError, isLegacy: isLegacy(left), place: step.place, correspondence });
}

/** A failure that reaches clients as a bare status has a sentence for its code (facts, ledger-api 3.4). */
function isLegacy(error: Json): boolean {
  return isJsonObject(error) && error["errorCategory"] === -1 && error["code"] !== "NA";
}

/** A text is for people; where both begin with an error code, that counts. */
function compareTexts(oracle: Response, target: Response): Difference | undefined {
  const [expected, came] = [codeIn(oracle), codeIn(target)];
  if (expected === undefined || came === undefined || expected === came) return undefined;
  return different("value", expected, came);
}

function codeIn({ body }: Response): string | undefined {
  return /^([A-Z][A-Z0-9_]+): /.exec(new TextDecoder().decode(body))?.[1];
}

function shape(answer: Response | Broken): Json {
  return answer.type === "broken" ? `nothing: ${answer.reason ?? answer.kind}` : answer.status;
}

function different(aspect: Difference["aspect"], oracle: Json | undefined, target: Json | undefined): Difference {
  return { aspect, pointer: "", oracle, target, clash: undefined };
}
