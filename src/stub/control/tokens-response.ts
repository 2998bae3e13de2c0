import { jsonValueResponse } from "../../foundation/http/json-value-response.ts";
import type { Response } from "../../foundation/http/response.ts";
import { formatJson, type JsonObject } from "../../foundation/json/json.ts";
import { shortened } from "../../foundation/text/shortened.ts";
import { controlScopes, controlTokensMax, type KeptControlToken } from "../stores/control-tokens.ts";
import type { ControlAccess, NamedTokens } from "./access.ts";
import { problem } from "./control-problem.ts";
import { digestsOf } from "./token-check.ts";

const namePattern = /^[A-Za-z0-9._-]{1,63}$/;

/** Lists and creates named tokens, and revokes the one that the path names. */
export async function tokensResponse(
  access: ControlAccess,
  method: string,
  name: string,
  body: JsonObject,
): Promise<Response> {
  if (access.token === undefined || access.named === undefined)
    return problem(
      409,
      "Named tokens need a control token: without one, every client may use the control API. Start serve with --control-token.",
    );
  try {
    if (method === "GET" && name === "")
      return jsonValueResponse(200, { tokens: (await access.named.kept.list()).map(tokenJson) });
    if (method === "POST" && name === "") return await created(access.named, body);
    if (method === "DELETE" && name !== "") return await revoked(access.named, name);
  } catch {
    return problem(503, "The store does not respond. Repeat the request.");
  }
  return problem(
    405,
    "Method not allowed. GET /__understudy/tokens lists the tokens, POST creates one, and DELETE /__understudy/tokens/{name} revokes one.",
  );
}

/** The only response that has the token. */
async function created({ kept, newToken }: NamedTokens, { name, scope }: JsonObject): Promise<Response> {
  if (typeof name !== "string" || !namePattern.test(name))
    return problem(400, `${shownMember("name", name)}. Use 1 to 63 of the characters A-Z a-z 0-9 . _ -`);
  const found = controlScopes.find((each) => each === scope);
  if (found === undefined) return problem(400, `${shownMember("scope", scope)}. Use "read", "drive" or "administer".`);
  const token = newToken();
  switch (await kept.create({ name, scope: found, ...digestsOf(token) })) {
    case "exists":
      return problem(409, `There is a control token ${JSON.stringify(name)} already. Revoke it, or use another name.`);
    case "full":
      return problem(409, `The limit of ${controlTokensMax} control tokens is reached. Revoke one.`);
    case "created":
      return jsonValueResponse(201, { name, scope: found, token });
  }
}

async function revoked({ kept }: NamedTokens, name: string): Promise<Response> {
  if (await kept.revoke(name)) return jsonValueResponse(200, { revoked: name });
  return problem(
    404,
    `There is no control token ${shortened(JSON.stringify(name))}. GET /__understudy/tokens lists all tokens.`,
  );
}

function shownMember(name: string, value: JsonObject[string] | undefined): string {
  return value === undefined ? `"${name}" is missing` : `"${name}": ${shortened(formatJson(value))} is not valid`;
}

function tokenJson({ name, scope, createdMs, lastUsedMs }: KeptControlToken): JsonObject {
  return {
    name,
    scope,
    createdAt: new Date(createdMs).toISOString(),
    lastUsedAt: lastUsedMs === undefined ? null : new Date(lastUsedMs).toISOString(),
  };
}
