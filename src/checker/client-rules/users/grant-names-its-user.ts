import { textAt } from "../../rules/members.ts";
import type { ClientRule } from "../client-rule.ts";

const grant = {
  operationId: "postV2UsersUser-idRights",
  target: "/v2/users/a/rights",
  status: 200,
  body: '{"newlyGrantedRights":[]}',
} as const;

export const grantNamesItsUser: ClientRule = {
  type: "exchange",
  id: "grant-names-its-user",
  section: "4.2",
  severity: "error",
  sentence: "`userId` (string, required, the user to grant rights to)",
  summary: "A grant names the same user in its path and in its body.",
  why: "Releases reject the request. A node that accepts it could grant rights to the wrong user.",
  advice: "Set `userId` in the body to the same value as in the path.",
  operations: [grant.operationId],
  appliesTo: ({ requestJson }) => textAt(requestJson, "userId") !== undefined,
  check({ requestJson, pathParameters }) {
    const [inPath, inBody] = [pathParameters["user-id"] ?? "", textAt(requestJson, "userId") ?? ""];
    return inPath === inBody
      ? []
      : [{ expected: `${inPath}, as in the path`, actual: inBody || '""', pointer: "/userId" }];
  },
  examples: {
    kept: [
      { ...grant, name: "the same user", requestBody: { userId: "a" } },
      {
        ...grant,
        name: "a user id that is encoded in the path",
        target: "/v2/users/a%7Cb/rights",
        requestBody: { userId: "a|b" },
      },
    ],
    broken: [
      {
        ...grant,
        name: "different users",
        requestBody: { userId: "b" },
        status: 400,
        contentType: "text/plain",
        body: '"INVALID_ARGUMENT: x"',
      },
    ],
  },
};
