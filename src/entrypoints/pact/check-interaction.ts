import type { Level, Outcome } from "../../checker/engine/checker.ts";
import { maskOf } from "../../checker/engine/shown-violation.ts";
import { routeOf } from "../../checker/rules/read-exchange.ts";
import { type Mask, plainMask } from "../../foundation/secrets/mask.ts";
import type { Spec } from "../../foundation/spec/spec.ts";
import { checkRequest } from "./_check-request.ts";
import { checkResponse } from "./_check-response.ts";
import { exchangeOf } from "./_exchange-of.ts";
import { unroutable } from "./_unroutable.ts";
import type { Interaction, PactFile } from "./interaction.ts";
import type { ValuePath } from "./rule-path.ts";

/** What of an interaction does not agree with the contract. */
export interface PactFinding {
  /** `FAIL` where no provider that keeps the contract can satisfy it; `WARN` where one may not; `KNOWN` for a known divergence. */
  readonly outcome: Exclude<Outcome, "PASS">;
  readonly at: "request" | "response";
  /** JSON pointer into the body; empty for what is not in the body. */
  readonly pointer: string;
  readonly contract: string;
  readonly pact: string;
  /** Section of the spec; empty where it speaks of no such operation. */
  readonly section: string;
  /** The checker's rule, where one of them found it. */
  readonly rule: string | undefined;
  readonly divergence: string | undefined;
  /** Where it is in the file. */
  readonly path: ValuePath;
}

/** What a check says of an interaction; `outside` is of no operation that the contract or its additional operations describe. */
export interface CheckedInteraction {
  readonly interaction: Interaction;
  readonly outcome: "fine" | "warned" | "contradicts" | "outside";
  readonly operationId: string | undefined;
  readonly findings: readonly PactFinding[];
}

/** Says of every interaction of a file what in it contradicts the contract. `spec` holds the additional operations too. */
export function checkPact(file: PactFile, spec: Spec, level: Level): readonly CheckedInteraction[] {
  return file.interactions.map((interaction) => checkInteraction(interaction, spec, level));
}

/**
 * A consumer's interaction is what the consumer relies on: members that it does not name are not missing. Examples hold
 * real tokens now and then, so no finding shows one.
 */
export function checkInteraction(interaction: Interaction, spec: Spec, level: Level): CheckedInteraction {
  const mask = maskOf(exchangeOf(interaction, 200, undefined), plainMask);
  const { findings, ...checked } = compare(interaction, spec, level);
  return { ...checked, findings: findings.map((finding) => masked(finding, mask)) };
}

function masked(finding: PactFinding, mask: Mask): PactFinding {
  return { ...finding, pact: mask(finding.pact) };
}

function compare(interaction: Interaction, spec: Spec, level: Level): CheckedInteraction {
  const route = routeOf(spec, exchangeOf(interaction, 200, undefined));
  if (route === undefined) return unroutable(interaction, spec);
  const { operation } = route;
  const findings = [
    ...checkRequest(interaction, spec, route),
    ...checkResponse(interaction, spec, { operation, level }),
  ];
  const inOrder = findings.toSorted((left, right) => ranks.indexOf(left.outcome) - ranks.indexOf(right.outcome));
  return { interaction, operationId: operation.operationId, outcome: outcomeOf(findings), findings: inOrder };
}

const ranks: readonly PactFinding["outcome"][] = ["FAIL", "WARN", "KNOWN"];

function outcomeOf(findings: readonly PactFinding[]): "fine" | "warned" | "contradicts" {
  if (findings.some(({ outcome }) => outcome === "FAIL")) return "contradicts";
  return findings.some(({ outcome }) => outcome === "WARN") ? "warned" : "fine";
}
