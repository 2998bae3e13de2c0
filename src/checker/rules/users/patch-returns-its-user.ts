import { textAt } from "../members.ts";
import type { ExchangeRule } from "../rule.ts";

const patch = {
  operationId: "patchV2UsersUser-id",
  target: "/v2/users/a%40b",
  requestBody: { user: { id: "a@b" }, updateMask: { paths: ["is_deactivated"] } },
  status: 200,
} as const;

export const patchReturnsItsUser: ExchangeRule = {
  type: "exchange",
  id: "patch-returns-its-user",
  section: "4.2",
  severity: "error",
  summary: "An update responds with the user in its path.",
  operations: [patch.operationId],
  appliesTo: ({ status, responseJson }) => status === 200 && textAt(responseJson, "user", "id") !== undefined,
  check({ pathParameters, responseJson }) {
    const [requested, responded] = [pathParameters["user-id"] ?? "", textAt(responseJson, "user", "id") ?? ""];
    return requested === responded ? [] : [{ expected: requested, actual: responded, pointer: "/user/id" }];
  },
  examples: {
    kept: [{ ...patch, name: "the user in the path", body: '{"user":{"id":"a@b"}}' }],
    broken: [{ ...patch, name: "another user", body: '{"user":{"id":"b"}}' }],
  },
};
