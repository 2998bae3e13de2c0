import { textAt } from "../../rules/members.ts";
import { badRequest } from "../../rules/sample-bodies.ts";
import { repeatedGrant } from "../../rules/sample-users.ts";
import type { ClientRule } from "../client-rule.ts";

export const grantNamesItsUser: ClientRule = {
  type: "exchange",
  id: "grant-names-its-user",
  section: "4.2",
  severity: "error",
  sentence:
    "The body has the required string `userId` of the user who gets the rights, the optional list `rights`, which may be empty, and the optional string `identityProviderId`, for which the default identity provider is assumed.",
  summary: "A grant names the same user in its path and in its body.",
  why: "Releases reject the request. A node that accepts it could grant rights to the wrong user.",
  advice: "Set `userId` in the body to the same value as in the path.",
  operations: [repeatedGrant.operationId],
  appliesTo: ({ requestJson }) => textAt(requestJson, "userId") !== undefined,
  check({ requestJson, pathParameters }) {
    const [inPath, inBody] = [pathParameters["user-id"] ?? "", textAt(requestJson, "userId") ?? ""];
    return inPath === inBody
      ? []
      : [{ expected: `${inPath}, as in the path`, actual: inBody || '""', pointer: "/userId" }];
  },
  examples: {
    kept: [
      { ...repeatedGrant, name: "the same user", requestBody: { userId: "a" } },
      {
        ...repeatedGrant,
        name: "a user id that is encoded in the path",
        target: "/v2/users/a%7Cb/rights",
        requestBody: { userId: "a|b" },
      },
    ],
    broken: [{ ...repeatedGrant, name: "different users", requestBody: { userId: "b" }, ...badRequest }],
  },
};
