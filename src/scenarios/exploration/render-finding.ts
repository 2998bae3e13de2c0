import type { Difference } from "../../checker/comparison/difference.ts";
import { curlLine } from "../../checker/engine/curl-line.ts";
import { mediaType } from "../../foundation/http/header.ts";
import { formatJson, type Json } from "../../foundation/json/json.ts";
import type { Mask } from "../../foundation/secrets/mask.ts";
import { shortened } from "../../foundation/text/shortened.ts";
import type { ExecutedStep, SequenceRun, SideExchange } from "./run-sequence.ts";

/** A run with a difference, ready for output: secrets are masked. */
export interface RenderedRun {
  readonly steps: readonly RenderedStep[];
  readonly aspect: Difference["aspect"];
  readonly pointer: string;
  readonly oracle: string;
  readonly target: string;
  /** The earlier value that an identifier or an offset contradicts, as a sentence; undefined for other differences. */
  readonly contradicts: string | undefined;
}

interface RenderedStep {
  readonly operationId: string;
  readonly request: string;
  readonly oracle: string;
  readonly target: string;
}

/** Renders the steps as curl commands for the target at `baseUrl`. */
export function renderRun({ executed, difference }: SequenceRun, baseUrl: string, mask: Mask): RenderedRun {
  if (difference === undefined) throw new Error("invariant: only a run with a difference is rendered");
  const { aspect, pointer, oracle, target, clash } = difference;
  return {
    steps: executed.map((step) => renderStep(step, baseUrl, mask)),
    aspect,
    pointer,
    oracle: mask(shown(oracle)),
    target: mask(shown(target)),
    contradicts:
      clash === undefined ? undefined : contradiction(clash.earlier.step, clash.earlier.pointer, clash.relation),
  };
}

function contradiction(step: number, pointer: string, relation: string): string {
  const where = step < 0 ? "the name in the request" : `${pointer} in the response to step ${step + 1}`;
  const how = { same: "equal to", other: "different from", after: "greater than", before: "less than" }[relation];
  return `the oracle's value is ${how ?? relation} ${where}, the target's is not`;
}

function renderStep({ step, oracle, target }: ExecutedStep, baseUrl: string, mask: Mask): RenderedStep {
  return {
    operationId: step.operationId,
    request: mask(curlLine({ ...target.request, target: `${baseUrl}${target.request.target}` })),
    oracle: mask(responseLine(oracle)),
    target: mask(responseLine(target)),
  };
}

const shownMax = 400;

/** A response as one line: status, media type and the beginning of the body. */
function responseLine({ response }: SideExchange): string {
  if (response.type === "broken") return `no response: ${response.reason ?? response.kind}`;
  return `${response.status} ${mediaType(response.headers) ?? ""} ${shortened(response.body.text(), shownMax)}`;
}

function shown(value: Json | undefined): string {
  return value === undefined ? "nothing" : shortened(formatJson(value), shownMax);
}

/** The finding as lines of text: the requests, the responses, and the difference. */
export function findingLines({ steps, aspect, pointer, oracle, target, contradicts }: RenderedRun): readonly string[] {
  return [
    ...steps.flatMap((step, place) => stepLines(step, place + 1, place === steps.length - 1)),
    `  differs   ${aspect}${pointer === "" ? "" : ` at ${pointer}`}`,
    `  oracle    ${oracle}`,
    `  target    ${target}`,
    ...(contradicts === undefined ? [] : [`  since     ${contradicts}`]),
  ];
}

function stepLines(step: RenderedStep, number: number, isLast: boolean): readonly string[] {
  const responses = isLast
    ? [`     oracle response  ${step.oracle}`, `     target response  ${step.target}`]
    : [`     response  ${step.target}`];
  return [`  ${number}. ${step.operationId}`, `     ${step.request}`, ...responses];
}
