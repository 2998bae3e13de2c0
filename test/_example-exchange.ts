import type { Rule, RuleExample } from "../src/checker/rules/rule.ts";
import { Body } from "../src/foundation/http/body.ts";
import type { Exchange } from "../src/foundation/http/exchange.ts";
import { type Response, textResponse } from "../src/foundation/http/response.ts";
import { formatJson } from "../src/foundation/json/json.ts";
import type { Spec } from "../src/foundation/spec/spec.ts";

/** Builds the exchange of a rule example. Status 0 means that the connection was reset without a response. */
export function exchangeOf(spec: Spec, example: Omit<RuleExample, "name">): Exchange {
  const { operationId, target, requestHeaders = {}, requestBody, requestText, status } = example;
  const operation = spec.operations.find((candidate) => candidate.operationId === operationId);
  const text = requestText ?? (requestBody === undefined ? "" : formatJson(requestBody));
  return {
    startedAt: "2026-01-01T00:00:00Z",
    durationMs: 0,
    request: {
      method: operation?.method ?? "",
      target,
      headers: Object.entries({ Authorization: "Bearer any", ...requestHeaders }).filter(([, value]) => value !== ""),
      body: new Body(text),
    },
    response: status === 0 ? { type: "broken", kind: "reset" } : responseOf(example),
  };
}

function responseOf({
  status,
  contentType = "application/json",
  body,
  bodyBase64,
}: Omit<RuleExample, "name">): Response {
  const response = textResponse(status, contentType, body);
  return bodyBase64 === undefined ? response : { ...response, body: new Body(Buffer.from(bodyBase64, "base64")) };
}

/** Every example of the rules with its exchanges, named for a test. */
export function namedExamples<Some extends Rule>(
  rules: readonly Some[],
): readonly {
  readonly rule: Some;
  readonly verdict: "kept" | "broken";
  readonly name: string;
  readonly isWarning: boolean;
  readonly exchanges: readonly Omit<RuleExample, "name">[];
}[] {
  return rules.flatMap((rule) =>
    (["kept", "broken"] as const).flatMap((verdict) =>
      rule.examples[verdict].map((example) => ({
        rule,
        verdict,
        name: `${rule.id} is ${verdict} by ${example.name}`,
        isWarning: example.isWarning === true,
        exchanges: "exchanges" in example ? example.exchanges : [example],
      })),
    ),
  );
}
