import { isJsonObject, type Json } from "../../foundation/json/json.ts";
import type { Interaction, PactBody } from "./interaction.ts";
import type { MatchingRule } from "./matching-rules.ts";
import type { PactFinding } from "./pact-finding.ts";
import type { PathToken } from "./rule-path.ts";

/** Finds matching rules without effect: their path is invalid, or leads to nothing in the body. */
export function danglingRules({ request, response }: Interaction): readonly PactFinding[] {
  const findingsIn = (message: typeof request | typeof response, at: "request" | "response") =>
    message.rules.body
      .filter((rule) => !isAnchored(rule, message.body))
      .map((rule) => ({
        outcome: "WARN" as const,
        at,
        pointer: "",
        expected: rule.path === undefined ? "a valid path" : "a path that exists in the body",
        actual: `a matching rule for ${rule.text}`,
        section: "",
        path: [...message.path, ...rule.place],
      }));
  return [...findingsIn(request, "request"), ...findingsIn(response, "response")];
}

function isAnchored({ path }: MatchingRule, body: PactBody | undefined): boolean {
  if (path === undefined || body === undefined) return false;
  // Pact libraries append wildcards for optional values below the elements of a list.
  const last = path.findLastIndex(({ type }) => type === "member" || type === "index");
  return body.type === "json" ? leadsTo(body.value, path.slice(0, last + 1)) : path.length === 0;
}

function leadsTo(value: Json, [step, ...rest]: readonly PathToken[]): boolean {
  if (step === undefined) return true;
  switch (step.type) {
    case "member": {
      const member = isJsonObject(value) && Object.hasOwn(value, step.name) ? value[step.name] : undefined;
      return member !== undefined && leadsTo(member, rest);
    }
    case "index": {
      const element = Array.isArray(value) ? value[step.index] : undefined;
      return element !== undefined && leadsTo(element, rest);
    }
    case "any-member":
      return isJsonObject(value) && Object.values(value).some((inner) => leadsTo(inner, rest));
    case "any-index":
      return Array.isArray(value) && value.some((inner) => leadsTo(inner, rest));
  }
}
