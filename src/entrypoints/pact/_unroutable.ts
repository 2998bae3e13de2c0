import { documentedPath } from "../../checker/rules/read-exchange.ts";
import type { Spec } from "../../foundation/spec/spec.ts";
import { suggestion } from "../../foundation/text/suggestion.ts";
import type { CheckedInteraction, PactFinding } from "./check-interaction.ts";
import type { Interaction } from "./interaction.ts";

/** What to say of an interaction that leads to no operation: a slip in method or path, or an operation of another API. */
export function unroutable(interaction: Interaction, spec: Spec): CheckedInteraction {
  const { request } = interaction;
  const path = documentedPath(request.target);
  const route = spec.route(request.method, path);
  if (route.type === "wrong-method") {
    const contract = `${path} has ${route.allowed.join(" and ")}`;
    return { ...contradicting(interaction, contract), operationId: undefined };
  }
  const near = nearPath(path, spec);
  if (near !== undefined)
    return { ...contradicting(interaction, `no such path. Did you mean ${near}?`), operationId: undefined };
  return { interaction, operationId: undefined, outcome: "outside", findings: [] };
}

function contradicting(interaction: Interaction, contract: string): Omit<CheckedInteraction, "operationId"> {
  const { request } = interaction;
  const finding: PactFinding = {
    outcome: "FAIL",
    at: "request",
    pointer: "",
    contract,
    pact: `${request.method} ${request.target}`,
    section: "4",
    rule: undefined,
    divergence: undefined,
    path: [...request.path, "path"],
  };
  return { interaction, outcome: "contradicts", findings: [finding] };
}

/** A path with as many segments, each of them equal to, nearly equal to, or a value for that of the template. */
function nearPath(path: string, spec: Spec): string | undefined {
  const segments = segmentsOf(path);
  return spec.operations
    .map((operation) => operation.path)
    .find((template) => {
      const parts = segmentsOf(template);
      if (parts.length !== segments.length) return false;
      const slips = parts.filter((part, place) => !part.startsWith("{") && part !== segments[place]);
      const isNear = parts.every((part, place) => isSlipOf(part, segments[place] ?? ""));
      return slips.length === 1 && isNear;
    });
}

function isSlipOf(part: string, segment: string): boolean {
  if (part.startsWith("{") || part === segment) return true;
  // A version is short, and another one is another API.
  return !/^v\d+$/.test(part) && suggestion(segment, [part]) !== undefined;
}

function segmentsOf(path: string): readonly string[] {
  return path.split("/").filter((segment) => segment !== "");
}
