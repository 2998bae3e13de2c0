import { headerValue } from "../../../foundation/http/header.ts";
import { isJsonObject, type Json } from "../../../foundation/json/json.ts";
import { escapeSegment } from "../../../foundation/spec/operation.ts";
import type { CheckedExchange } from "../../rules/rule.ts";
import { badRequest } from "../../rules/sample-bodies.ts";
import { executeExample } from "../../rules/sample-submissions.ts";
import { allocationExample } from "../../rules/sample-users.ts";
import type { ClientRule } from "../client-rule.ts";

const execution = executeExample("YQ==", "s");
const allocation = allocationExample({ onboardingTransactions: [{ signatures: [] }] });
const shortened = { ...execution, requestBody: { preparedTransaction: "YQ==", submissionId: "s" } };

const noBody = { "Content-Length": "0" } as const;
const grant = { operationId: "postV2UsersUser-idRights", target: "/v2/users/alice/rights" } as const;

/** A refused request counts too: the client left the member out. A release fills in defaults for some missing members. */
export const requiredMembersSent: ClientRule = {
  type: "exchange",
  id: "required-members-sent",
  section: "2",
  severity: "error",
  sentence: "A required member is in every such request or every such response.",
  summary: "A request has all required members, whether a node accepts it without them or not.",
  why: "Releases fill in defaults for many required members, each for different ones. A request that one release accepts may fail at the next.",
  advice: "Send the member. If it has no content and the spec allows it, send an empty value.",
  appliesTo: (checked) => !checked.operation.isAdditional && sentIn(checked) !== undefined,
  check: (checked) =>
    missingIn(checked).map((name) => ({
      expected: `the member \`${name}\``,
      actual: "nothing",
      pointer: `/${escapeSegment(name)}`,
    })),
  examplesIn: "canton-3.5",
  examples: {
    kept: [
      { ...execution, name: "all required members" },
      { ...allocation, name: "a missing nested member, which the spec does not require" },
      { ...execution, ...badRequest, name: "a refused request with all required members" },
      { ...grant, ...badRequest, name: "a body that the recorder may have omitted" },
    ],
    broken: [
      { ...shortened, name: "no signatures" },
      { ...shortened, ...badRequest, name: "no signatures in a refused request" },
      { ...grant, ...badRequest, name: "a refused grant without members", requestBody: {} },
      { ...grant, ...badRequest, name: "a refused grant without a body", requestHeaders: noBody },
      { ...shortened, name: "no signatures before a broken connection", status: 0, body: "" },
    ],
  },
};

/** Missing top-level members. The spec does not mark nested members as required. */
function missingIn(checked: CheckedExchange): readonly string[] {
  const { spec, operation } = checked;
  const sent = sentIn(checked);
  if (operation.requestSchema === undefined || !isJsonObject(sent)) return [];
  const { required } = spec.shapes[operation.api].shapeAt(operation.requestSchema);
  return [...required].filter((name) => !Object.hasOwn(sent, name));
}

/** The JSON of the request. A body of no bytes, as its length says, has no members; other missing bodies may be the recorder's. */
function sentIn({ operation, requestJson, exchange }: CheckedExchange): Json | undefined {
  if (operation.requestSchema === undefined) return undefined;
  return requestJson ?? (headerValue(exchange.request.headers, "content-length") === "0" ? {} : undefined);
}
