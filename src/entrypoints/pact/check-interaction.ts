import type { Level } from "../../checker/engine/exchange-verdict.ts";
import { maskOf } from "../../checker/engine/shown-violation.ts";
import { documentedPath } from "../../checker/rules/read-exchange.ts";
import { plainMask } from "../../foundation/secrets/mask.ts";
import { routeOf } from "../../foundation/spec/route-of.ts";
import type { Spec } from "../../foundation/spec/spec.ts";
import { suggestion } from "../../foundation/text/suggestion.ts";
import { checkRequest } from "./_check-request.ts";
import { checkResponse } from "./_check-response.ts";
import { exchangeOf } from "./_exchange-of.ts";
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

/** Checks an interaction without operation: a misspelt method or path contradicts the spec; another API is unsupported. */
function unroutable(interaction: Interaction, spec: Spec): CheckedInteraction {
  const { method, target, path: place } = interaction.request;
  const path = documentedPath(target);
  const route = spec.route(method, path);
  const near = nearPath(path, spec);
  if (route.type !== "wrong-method" && near === undefined)
    return { interaction, operationId: undefined, outcome: "unsupported", findings: [] };
  const finding: PactFinding = {
    outcome: "FAIL",
    at: "request",
    pointer: "",
    expected:
      route.type === "wrong-method"
        ? `${route.allowed.join(" or ")} for ${path}`
        : `a known path. Did you mean ${near}?`,
    actual: `${method} ${target}`,
    section: "4",
    path: [...place, "path"],
  };
  return { interaction, operationId: undefined, outcome: "contradicts", findings: [finding] };
}

/** Finds the path template that differs from a path by one misspelt segment. */
function nearPath(path: string, spec: Spec): string | undefined {
  const segments = segmentsOf(path);
  return spec.operations
    .map((operation) => operation.path)
    .find((template) => {
      const parts = segmentsOf(template);
      if (parts.length !== segments.length) return false;
      const misspelt = parts.filter((part, place) => !part.startsWith("{") && part !== segments[place]);
      const isNear = parts.every((part, place) => isNearlyEqual(part, segments[place] ?? ""));
      return misspelt.length === 1 && isNear;
    });
}

function isNearlyEqual(part: string, segment: string): boolean {
  if (part.startsWith("{") || part === segment) return true;
  // A version is too short to be misspelt: another version is another API.
  return !/^v\d+$/.test(part) && suggestion(segment, [part]) !== undefined;
}

function segmentsOf(path: string): readonly string[] {
  return path.split("/").filter((segment) => segment !== "");
}
