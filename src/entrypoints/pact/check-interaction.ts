import type { Level } from "../../checker/engine/exchange-verdict.ts";
import { maskOf } from "../../checker/engine/shown-violation.ts";
import { plainMask } from "../../foundation/secrets/mask.ts";
import { routeOf } from "../../foundation/spec/route-of.ts";
import type { Spec } from "../../foundation/spec/spec.ts";
import { checkRequest } from "./_check-request.ts";
import { checkResponse } from "./_check-response.ts";
import { exchangeOf } from "./_exchange-of.ts";
import { unroutable } from "./_unroutable.ts";
import type { Interaction, PactFile } from "./interaction.ts";
import type { CheckedInteraction, PactFinding } from "./pact-finding.ts";

/** Compares each interaction of a Pact file with the spec. `spec` includes the additional operations. */
export function checkPact(file: PactFile, spec: Spec, level: Level): readonly CheckedInteraction[] {
  return file.interactions.map((interaction) => checkInteraction(interaction, spec, level));
}

/**
 * Compares an interaction with the spec. An interaction names only what the consumer relies on, so other members are not
 * missing. Examples can contain real tokens, so secrets in findings are masked.
 */
function checkInteraction(interaction: Interaction, spec: Spec, level: Level): CheckedInteraction {
  const mask = maskOf(exchangeOf(interaction, 200, undefined), plainMask);
  const { findings, ...checked } = compare(interaction, spec, level);
  return { ...checked, findings: findings.map((finding) => ({ ...finding, actual: mask(finding.actual) })) };
}

function compare(interaction: Interaction, spec: Spec, level: Level): CheckedInteraction {
  const route = routeOf(spec, exchangeOf(interaction, 200, undefined).request);
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
