import { documentedPath } from "../../checker/rules/read-exchange.ts";
import type { Spec } from "../../foundation/spec/spec.ts";
import { suggestion } from "../../foundation/text/suggestion.ts";
import type { Interaction } from "./interaction.ts";
import type { CheckedInteraction, PactFinding } from "./pact-finding.ts";

/** Checks an interaction without operation: a misspelt method or path contradicts the spec; another API is unsupported. */
export function unroutable(interaction: Interaction, spec: Spec): CheckedInteraction {
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
