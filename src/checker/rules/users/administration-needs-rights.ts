import type { ExchangeRule } from "../rule.ts";
import { usersPage } from "../sample-bodies.ts";

const users = { operationId: "getV2Users", target: "/v2/users", body: usersPage, status: 200 } as const;
const forAdministrators: ReadonlySet<string> = new Set([
  "getV2Users",
  "getV2Idps",
  "patchV2UsersUser-id",
  "postV2UsersUser-idRights",
  "postV2Package-vetting",
]);

/** Which rights an operation needs is not shown; releases want those of an administrator here (Canton 3.5, the authorizers in ledger/api/auth/services). */
export const administrationNeedsRights: ExchangeRule = {
  type: "exchange",
  id: "administration-needs-rights",
  section: "5",
  severity: "warning",
  summary: "Users, rights, identity providers and vetting are not administered with a plain user's token.",
  operations: [...forAdministrators],
  appliesTo: ({ operation, context, status }) =>
    forAdministrators.has(operation.operationId) && context.token === "plain" && status > 0,
  check: ({ status }) =>
    status >= 300 ? [] : [{ expected: "403", actual: `${status} with a plain user's token`, pointer: "" }],
  examples: {
    kept: [{ ...users, name: "a refusal", context: { token: "plain" }, status: 403 }],
    broken: [{ ...users, name: "a plain user", context: { token: "plain" } }],
  },
};
