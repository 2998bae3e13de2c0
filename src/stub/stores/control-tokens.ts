/** What a control token may do, from the least to the most. Each scope includes those before it. */
export const controlScopes = ["read", "drive", "administer"] as const;

export type ControlScope = (typeof controlScopes)[number];

/** A named token of the control API, without the token itself. */
export interface NewControlToken {
  readonly name: string;
  readonly scope: ControlScope;
  /** SHA-256 of the token, in base64url. */
  readonly tokenDigest: string;
  /** SHA-256 of the cookie that a browser has instead of the token, in base64url. */
  readonly cookieDigest: string;
}

export interface KeptControlToken extends NewControlToken {
  readonly createdMs: number;
  /** The last use, to the minute; undefined before the first. */
  readonly lastUsedMs: number | undefined;
}

/** `exists`: the name is in use. `full`: there are `controlTokensMax` tokens. */
export type TokenCreation = "created" | "exists" | "full";

/** The number of named tokens of a stub, or of all replicas of a store. */
export const controlTokensMax = 100;

/** A use is noted again after this time. */
export const useNotedMs = 60_000;

/** Where named tokens are kept. */
export interface ControlTokens {
  create(token: NewControlToken): Promise<TokenCreation>;
  /** All tokens, by name. */
  list(): Promise<readonly KeptControlToken[]>;
  /** Notes a use of a token. */
  use(name: string): Promise<void>;
  /** Removes a token. Resolves to false if no token has this name. */
  revoke(name: string): Promise<boolean>;
}
