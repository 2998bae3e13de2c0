import { textAt } from "../members.ts";
import type { CheckedExchange, ExchangeRule } from "../rule.ts";

const grant = { operationId: "postV2UsersUser-idRights", target: "/v2/users/a/rights", status: 200 } as const;
const nothing = '{"newlyGrantedRights":[]}';

/** The spec names the user twice and does not say what follows if the names differ; releases refuse it (Canton 3.5, ApiUserManagementService.scala). */
export const pathAndBodyAgree: ExchangeRule = {
  type: "exchange",
  id: "path-and-body-agree",
  section: "4.2",
  severity: "warning",
  summary: "A request that names one user in its path and another in its body is refused.",
  appliesTo: (checked) => checked.status > 0 && userInBody(checked) !== undefined,
  check(checked) {
    const [inPath, inBody] = [checked.pathParameters["user-id"], userInBody(checked)];
    if (checked.status >= 300 || inPath === inBody) return [];
    return [
      { expected: "a refusal", actual: `${checked.status} for ${inPath} in the path and ${inBody}`, pointer: "" },
    ];
  },
  examples: {
    kept: [{ ...grant, name: "one user", requestBody: { userId: "a" }, body: nothing }],
    broken: [{ ...grant, name: "two users", requestBody: { userId: "b" }, body: nothing }],
  },
};

function userInBody({ operation, requestJson }: CheckedExchange): string | undefined {
  if (operation.operationId === "postV2UsersUser-idRights") return textAt(requestJson, "userId");
  return operation.operationId === "patchV2UsersUser-id" ? textAt(requestJson, "user", "id") : undefined;
}
