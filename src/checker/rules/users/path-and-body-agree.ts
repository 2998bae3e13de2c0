import { textAt } from "../members.ts";
import type { CheckedExchange, ExchangeRule } from "../rule.ts";
import { grant } from "../sample-users.ts";

/**
 * The spec names the user in path and body and does not say what follows if they differ; releases reject the request
 * (Canton 3.5, ApiUserManagementService.scala).
 */
export const pathAndBodyAgree: ExchangeRule = {
  type: "exchange",
  id: "path-and-body-agree",
  section: "4.2",
  severity: "warning",
  summary: "A request whose path and body name different users is rejected.",
  appliesTo: (checked) => checked.status > 0 && userInBody(checked) !== undefined,
  check(checked) {
    const [inPath, inBody] = [checked.pathParameters["user-id"], userInBody(checked)];
    if (checked.status >= 300 || inPath === inBody) return [];
    return [{ expected: "an error", actual: `${checked.status} for ${inPath} in the path and ${inBody}`, pointer: "" }];
  },
  examples: {
    kept: [{ ...grant, name: "the same user", requestBody: { userId: "a" } }],
    broken: [{ ...grant, name: "different users", requestBody: { userId: "b" } }],
  },
};

function userInBody({ operation, requestJson }: CheckedExchange): string | undefined {
  if (operation.operationId === "postV2UsersUser-idRights") return textAt(requestJson, "userId");
  return operation.operationId === "patchV2UsersUser-id" ? textAt(requestJson, "user", "id") : undefined;
}
