import { type HeaderList, headerValues } from "../../foundation/http/header.ts";
import type { ReleaseBehaviour } from "../../foundation/spec/contracts.ts";

export type BearerToken =
  | { readonly type: "none" | "other-scheme" | "malformed" }
  | { readonly type: "token"; readonly token: string };

const scheme = /^bearer(?:\s+(.*))?$/i;
const protocolPrefix = "jwt.token.";

/** Reads the bearer token of a request. */
export type ReadToken = (headers: HeaderList) => BearerToken;

export interface TokenReaders {
  /** From `Authorization`. Several tokens are malformed. */
  readonly inAuthorization: ReadToken;
  /**
   * From `Authorization` or else from the protocols of a WebSocket. Evidence: Canton 3.5, JSON API (source and tests); before
   * release 3.6 a blank before a protocol hides its token (release notes of 3.6.1).
   */
  readonly anywhere: ReadToken;
}

export function createTokenReaders({ trimsSubprotocols }: Pick<ReleaseBehaviour, "trimsSubprotocols">): TokenReaders {
  const inAuthorization: ReadToken = (headers) => {
    const values = headerValues(headers, "authorization");
    const tokens = values.map(tokenIn).filter(({ type }) => type !== "other-scheme");
    if (tokens.length > 1) return malformed;
    return tokens[0] ?? (values.length === 0 ? none : otherScheme);
  };
  const anywhere: ReadToken = (headers) => {
    const token = inAuthorization(headers);
    if (token.type === "token" || token.type === "malformed") return token;
    const offered = tokenOfProtocol(headers, trimsSubprotocols);
    return offered.type === "none" ? token : offered;
  };
  return { inAuthorization, anywhere };
}

const none: BearerToken = { type: "none" };
const otherScheme: BearerToken = { type: "other-scheme" };
const malformed: BearerToken = { type: "malformed" };

/** The token in a value of `Authorization`. An empty one is malformed. */
function tokenIn(value: string): BearerToken {
  const found = scheme.exec(value.trim());
  if (found === null) return otherScheme;
  const token = found[1]?.trim() ?? "";
  return token === "" ? malformed : { type: "token", token };
}

function tokenOfProtocol(headers: HeaderList, isTrimmed: boolean): BearerToken {
  const offered = headerValues(headers, "sec-websocket-protocol").flatMap((value) =>
    value.split(",").map((part) => (isTrimmed ? part.trim() : part)),
  );
  const token = offered.find((part) => part.startsWith(protocolPrefix))?.slice(protocolPrefix.length);
  return token === undefined || token === "" ? { type: "none" } : { type: "token", token };
}
