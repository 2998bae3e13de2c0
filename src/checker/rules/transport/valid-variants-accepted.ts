import type { ExchangeRule } from "../rule.ts";
import { lookup, lookupRequest } from "../sample-bodies.ts";
import { grant } from "../sample-users.ts";

const refusal = { status: 400, contentType: "text/plain", body: "Invalid value for: body" };
const variant = { variant: "optional members" };

/** Only probes know which requests are variants. */
export const validVariantsAccepted: ExchangeRule = {
  type: "exchange",
  id: "valid-variants-accepted",
  section: "4",
  severity: "error",
  summary:
    "A request that differs from a successful one only in optional members, or in another allowed value, is no bad request.",
  appliesTo: ({ context, status }) => context.variant !== undefined && status > 0,
  check: ({ status, context }) =>
    status === 400 || status === 422
      ? [
          {
            expected: "the success of the same request with other optional members",
            actual: String(status),
            pointer: "",
            keyword: context.variant,
          },
        ]
      : [],
  examples: {
    kept: [
      { ...grant, name: "a grant without rights", requestBody: { userId: "a" }, context: variant },
      { ...grant, ...refusal, name: "a refusal of another request", requestBody: {} },
    ],
    broken: [
      { ...grant, ...refusal, name: "a grant without rights", requestBody: { userId: "a" }, context: variant },
      {
        ...lookup,
        name: "a lookup without excludeDebugFields",
        requestBody: { choiceArguments: lookupRequest.choiceArguments },
        status: 400,
        body: '{"error":"excludeDebugFields is missing"}',
        context: variant,
      },
    ],
  },
};
