import { textAt } from "../members.ts";
import type { CheckedExchange, ExchangeRule } from "../rule.ts";
import { grant, update } from "../sample-users.ts";

/**
 * Path and body both name the user whom the request changes, so success contradicts one of them; releases reject the
 * request (Canton 3.5, ApiUserManagementService.scala).
 */
export const pathAndBodyAgree: ExchangeRule = {
  type: "exchange",
  id: "path-and-body-agree",
  section: "4.2",
  severity: "error",
  summary: "A request whose path and body name different users is rejected.",
  appliesTo: (checked) => checked.status > 0 && userInBody(checked) !== undefined,
  check(checked) {
    const [inPath, inBody] = [checked.pathParameters["user-id"], userInBody(checked)];
    if (checked.status >= 300 || inPath === inBody) return [];
    return [{ expected: "an error", actual: `${checked.status} for ${inPath} in the path and ${inBody}`, pointer: "" }];
  },
  examples: {
    kept: [{ ...grant, name: "the same user", requestBody: { userId: "a" } }],
    broken: [
      { ...grant, name: "a grant with different users", requestBody: { userId: "b" } },
      {
        ...update,
        name: "an update with different users",
        requestBody: { user: { id: "b" }, updateMask: { paths: ["is_deactivated"] } },
      },
    ],
  },
};

function userInBody({ operation, requestJson }: CheckedExchange): string | undefined {
  if (operation.operationId === "postV2UsersUser-idRights") return textAt(requestJson, "userId");
  return operation.operationId === "patchV2UsersUser-id" ? textAt(requestJson, "user", "id") : undefined;
}
