import { isJsonObject, type Json } from "../../foundation/json/json.ts";
import type { PactFinding } from "./check-interaction.ts";
import type { Interaction, PactBody } from "./interaction.ts";
import type { MatchingRule } from "./matching-rules.ts";
import type { PathToken } from "./rule-path.ts";

/** Matching rules whose path leads to nothing, or cannot be read: whoever wrote them believes that they count. */
export function danglingRules({ request, response }: Interaction): readonly PactFinding[] {
  const of = (message: typeof request | typeof response, at: "request" | "response") =>
    message.rules.body
      .filter((rule) => !isAnchored(rule, message.body))
      .map((rule) => ({
        outcome: "WARN" as const,
        at,
        pointer: "",
        contract: rule.path === undefined ? "the path cannot be read" : "the path leads to nothing in the body",
        pact: `a matching rule for ${rule.text}`,
        section: "",
        rule: undefined,
        divergence: undefined,
        path: [...message.path, ...rule.place],
      }));
  return [...of(request, "request"), ...of(response, "response")];
}

function isAnchored({ path }: MatchingRule, body: PactBody | undefined): boolean {
  if (path === undefined || body === undefined) return false;
  // Libraries write wildcards for what may be there below a list's elements.
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
