import { type HeaderList, headerValues } from "../../foundation/http/header.ts";

export type BearerToken =
  | { readonly type: "none" }
  | { readonly type: "token"; readonly token: string }
  | { readonly type: "malformed" };

const scheme = /^bearer(?:\s+(.*))?$/i;
const protocolPrefix = "jwt.token.";

/** The token of a request (facts, ledger-api 2.1): another scheme is no token, an empty one or two are malformed. */
export function bearerToken(headers: HeaderList): BearerToken {
  const found = headerValues(headers, "authorization").flatMap((value) => {
    const match = scheme.exec(value.trim());
    return match === null ? [] : [match[1]?.trim() ?? ""];
  });
  if (found.length > 1) return { type: "malformed" };
  const token = found[0];
  if (token === undefined) return tokenOfProtocol(headers);
  return token === "" ? { type: "malformed" } : { type: "token", token };
}

function tokenOfProtocol(headers: HeaderList): BearerToken {
  const offered = headerValues(headers, "sec-websocket-protocol").flatMap((value) =>
    value.split(",").map((part) => part.trim()),
  );
  const token = offered.find((part) => part.startsWith(protocolPrefix))?.slice(protocolPrefix.length);
  return token === undefined || token === "" ? { type: "none" } : { type: "token", token };
}
