import { type HeaderList, headerValues } from "../../foundation/http/header.ts";
import type { ReleaseBehaviour } from "../../foundation/spec/contracts.ts";

export type BearerToken =
  | { readonly type: "none" | "other-scheme" | "malformed" }
  | { readonly type: "token"; readonly token: string };

const scheme = /^bearer(?:\s+(.*))?$/i;
const protocolPrefix = "jwt.token.";

/**
 * The bearer token of a request, from `Authorization` or else from the protocols of a WebSocket. Evidence: Canton 3.5, JSON
 * API (source and tests); before release 3.6 a blank before a protocol hides its token (release notes of 3.6.1).
 */
export function bearerToken(
  headers: HeaderList,
  { trimsSubprotocols }: Pick<ReleaseBehaviour, "trimsSubprotocols">,
): BearerToken {
  const token = tokenInAuthorization(headers);
  if (token.type === "token" || token.type === "malformed") return token;
  const offered = tokenOfProtocol(headers, trimsSubprotocols);
  return offered.type === "none" ? token : offered;
}

/** The bearer token in `Authorization`. An empty token and several tokens are malformed. */
export function tokenInAuthorization(headers: HeaderList): BearerToken {
  const values = headerValues(headers, "authorization");
  const found = values.flatMap((value) => {
    const match = scheme.exec(value.trim());
    return match === null ? [] : [match[1]?.trim() ?? ""];
  });
  if (found.length > 1) return { type: "malformed" };
  const token = found[0];
  if (token === undefined) return { type: values.length === 0 ? "none" : "other-scheme" };
  return token === "" ? { type: "malformed" } : { type: "token", token };
}

function tokenOfProtocol(headers: HeaderList, isTrimmed: boolean): BearerToken {
  const offered = headerValues(headers, "sec-websocket-protocol").flatMap((value) =>
    value.split(",").map((part) => (isTrimmed ? part.trim() : part)),
  );
  const token = offered.find((part) => part.startsWith(protocolPrefix))?.slice(protocolPrefix.length);
  return token === undefined || token === "" ? { type: "none" } : { type: "token", token };
}
