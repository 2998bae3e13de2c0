import type { ExchangeRule } from "../rule.ts";
import { grant, providers, update, users } from "../sample-users.ts";
import { vetting } from "../sample-vetting.ts";

const forAdministrators: ReadonlySet<string> = new Set([
  "getV2Users",
  "getV2Idps",
  "patchV2UsersUser-id",
  "postV2UsersUser-idRights",
  "postV2Package-vetting",
]);

/**
 * The spec does not show which rights an operation needs; releases require those of an administrator (Canton 3.5, the
 * authorizers in ledger/api/auth/services).
 */
export const administrationNeedsRights: ExchangeRule = {
  type: "exchange",
  id: "administration-needs-rights",
  section: "5",
  severity: "error",
  inSpec: { warning: "all", because: "the spec does not show which rights an operation needs" },
  summary: "Only an administrator manages users, rights, identity providers and vetting; a plain user gets 403.",
  operations: [...forAdministrators],
  appliesTo: ({ context, status }) => context.token === "plain" && status > 0,
  check: ({ status }) =>
    status >= 300 ? [] : [{ expected: "403", actual: `${status} with a plain user's token`, pointer: "" }],
  examples: {
    kept: [{ ...users, name: "an error for a plain user", context: { token: "plain" }, status: 403 }],
    broken: [
      { ...users, isWarning: true, name: "a plain user lists users", context: { token: "plain" } },
      { ...update, isWarning: true, name: "a plain user updates a user", context: { token: "plain" } },
      { ...grant, isWarning: true, name: "a plain user grants rights", context: { token: "plain" } },
      { ...providers, isWarning: true, name: "a plain user lists identity providers", context: { token: "plain" } },
      { ...vetting, isWarning: true, name: "a plain user vets packages", context: { token: "plain" } },
    ],
  },
};
