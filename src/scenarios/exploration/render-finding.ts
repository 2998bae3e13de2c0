import type { Difference } from "../../checker/comparison/difference.ts";
import { curlLine } from "../../checker/engine/curl-line.ts";
import { mediaType } from "../../foundation/http/header.ts";
import { formatJson, type Json } from "../../foundation/json/json.ts";
import type { Mask } from "../../foundation/secrets/mask.ts";
import type { Requested, Taken, Walk } from "./run-sequence.ts";

/** A walk to a difference, ready to be shown: nothing in it lets anybody act as somebody else. */
export interface ShownWalk {
  readonly steps: readonly ShownStep[];
  readonly aspect: Difference["aspect"];
  readonly pointer: string;
  readonly oracle: string;
  readonly target: string;
  /** What an identifier or an offset contradicts, in a sentence; undefined for other differences. */
  readonly contradicts: string | undefined;
}

export interface ShownStep {
  readonly operationId: string;
  readonly request: string;
  readonly oracle: string;
  readonly target: string;
}

/** The steps as requests to the target at `baseUrl`. */
export function shownWalk({ taken, difference }: Walk, baseUrl: string, mask: Mask): ShownWalk {
  if (difference === undefined) throw new Error("invariant: only a walk to a difference is shown");
  const { aspect, pointer, oracle, target, clash } = difference;
  return {
    steps: taken.map((step) => shownStep(step, baseUrl, mask)),
    aspect,
    pointer,
    oracle: mask(shown(oracle)),
    target: mask(shown(target)),
    contradicts:
      clash === undefined ? undefined : contradiction(clash.earlier.step, clash.earlier.pointer, clash.relation),
  };
}

function contradiction(step: number, pointer: string, relation: string): string {
  const where = step < 0 ? "what the request names" : `${pointer} in the response to step ${step + 1}`;
  const how = { same: "the same as", other: "another than", after: "greater than", before: "less than" }[relation];
  return `for the oracle it is ${how ?? relation} ${where}, for the target it is not`;
}

function shownStep({ step, oracle, target }: Taken, baseUrl: string, mask: Mask): ShownStep {
  return {
    operationId: step.operationId,
    request: mask(curlLine({ ...target.request, target: `${baseUrl}${target.request.target}` })),
    oracle: mask(came(oracle)),
    target: mask(came(target)),
  };
}

const shownMax = 400;

/** A response in a line: status, media type and the beginning of the body. */
function came({ response }: Requested): string {
  if (response.type === "broken") return `nothing: ${response.reason ?? response.kind}`;
  return `${response.status} ${mediaType(response.headers) ?? ""} ${cut(new TextDecoder().decode(response.body))}`;
}

function shown(value: Json | undefined): string {
  return value === undefined ? "nothing" : cut(formatJson(value));
}

function cut(text: string): string {
  return text.length > shownMax ? `${text.slice(0, shownMax)}…` : text;
}

/** The lines that tell a reader what was asked, what came, and where it differs. */
export function findingLines({ steps, aspect, pointer, oracle, target, contradicts }: ShownWalk): readonly string[] {
  return [
    ...steps.flatMap((step, place) => stepLines(step, place + 1, place === steps.length - 1)),
    `  differs   ${aspect}${pointer === "" ? "" : ` at ${pointer}`}`,
    `  oracle    ${oracle}`,
    `  target    ${target}`,
    ...(contradicts === undefined ? [] : [`  since     ${contradicts}`]),
  ];
}

function stepLines(step: ShownStep, number: number, isLast: boolean): readonly string[] {
  const responses = isLast
    ? [`     oracle answered  ${step.oracle}`, `     target answered  ${step.target}`]
    : [`     answered  ${step.target}`];
  return [`  ${number}. ${step.operationId}`, `     ${step.request}`, ...responses];
}
