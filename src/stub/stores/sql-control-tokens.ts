import {
  type ControlTokens,
  controlScopes,
  controlTokensMax,
  type KeptControlToken,
  type NewControlToken,
  type TokenCreation,
  useNotedMs,
} from "./control-tokens.ts";
import { type Database, numberIn, optionalNumberIn, type SqlRow, textIn } from "./database.ts";

/** Named tokens in the table `control_tokens`, which all replicas of a store read. */
export class SqlControlTokens implements ControlTokens {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async create({ name, scope, tokenDigest, cookieDigest }: NewControlToken): Promise<TokenCreation> {
    return this.#database.exclusively(async (query) => {
      const [row] = await query("SELECT COUNT(*) AS tokens FROM control_tokens WHERE name <> $1", [name]);
      if (row !== undefined && numberIn(row, "tokens") >= controlTokensMax) return "full";
      const inserted = await query(
        `INSERT INTO control_tokens (name, scope, token_digest, cookie_digest, created_ms)
         VALUES ($1, $2, $3, $4, ${this.#database.nowMs}) ON CONFLICT (name) DO NOTHING RETURNING name`,
        [name, scope, tokenDigest, cookieDigest],
      );
      return inserted.length === 0 ? "exists" : "created";
    });
  }

  async list(): Promise<readonly KeptControlToken[]> {
    const rows = await this.#database.query("SELECT * FROM control_tokens ORDER BY name");
    return rows.map(tokenOf);
  }

  async use(name: string): Promise<void> {
    const { nowMs } = this.#database;
    await this.#database.query(
      // A clock that was set back leaves a later time.
      `UPDATE control_tokens SET last_used_ms = ${nowMs}
       WHERE name = $1 AND COALESCE(last_used_ms, 0) NOT BETWEEN ${nowMs} - ${useNotedMs - 1} AND ${nowMs}`,
      [name],
    );
  }

  async revoke(name: string): Promise<boolean> {
    const revoked = await this.#database.query("DELETE FROM control_tokens WHERE name = $1 RETURNING name", [name]);
    return revoked.length > 0;
  }
}

function tokenOf(row: SqlRow): KeptControlToken {
  const scope = controlScopes.find((each) => each === row["scope"]);
  if (scope === undefined) throw new Error(`the store has a control token with an unknown scope: ${row["scope"]}`);
  return {
    name: textIn(row, "name"),
    scope,
    tokenDigest: textIn(row, "token_digest"),
    cookieDigest: textIn(row, "cookie_digest"),
    createdMs: numberIn(row, "created_ms"),
    lastUsedMs: optionalNumberIn(row, "last_used_ms"),
  };
}
