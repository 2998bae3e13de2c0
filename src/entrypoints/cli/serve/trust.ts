import { readFileSync } from "node:fs";
import type { JSONWebKeySet } from "jose";
import { isJsonObject, parseJson } from "../../../foundation/json/json.ts";
import { plainMask } from "../../../foundation/secrets/mask.ts";
import { audienceOf, scopeDefault, type TokenKey, type TokenTrust } from "../../../stub/tokens/verify-token.ts";
import { type NamedFile, namedFile } from "../files/named-file.ts";
import { secretDefault } from "../flags/token-secret.ts";
import type { Options } from "../options.ts";
import { UserError } from "../user-error.ts";

/** What `--jwks`, `--jwt-secret`, `--audience` and `--scope` say of tokens; `own` are the keys of `--oauth`. */
export function trustOf(options: Options, participantId: string, own: JSONWebKeySet | undefined): TokenTrust {
  const [audience, scope] = [options.text("audience"), options.text("scope")];
  const isNamed = audience !== undefined || scope !== undefined;
  return {
    key: keyOf(options, own),
    audiences: audience === undefined ? (isNamed ? [] : [audienceOf(participantId)]) : [audience],
    scopes: scope === undefined ? (isNamed ? [] : [scopeDefault]) : [scope],
  };
}

function keyOf(options: Options, own: JSONWebKeySet | undefined): TokenKey {
  const [jwks, secret] = [options.text("jwks"), options.text("jwt-secret")];
  if ([jwks, secret, own].filter((given) => given !== undefined).length > 1)
    throw new UserError("Tokens are verified by one of --jwks, --jwt-secret and --oauth.");
  if (own !== undefined) return { type: "jwks", keys: own };
  if (jwks === undefined) return { type: "secret", secret: secret ?? secretDefault };
  return /^https?:/.test(jwks) ? keyAt(jwks) : { type: "jwks", keys: keysIn(namedFile(jwks, options)) };
}

/** Only loopback is a network. */
function keyAt(text: string): TokenKey {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isLoopback = url !== undefined && ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
  if (!isLoopback)
    throw new UserError(`--jwks ${plainMask(text)} is not on this machine. Save the key set to a file and name that.`);
  return { type: "jwks-url", url };
}

function keysIn(file: NamedFile): JSONWebKeySet {
  const text = readText(file);
  try {
    const value = parseJson(text);
    const keys = isJsonObject(value) ? value["keys"] : undefined;
    const isSet = Array.isArray(keys) && keys.every((key) => isJsonObject(key) && typeof key["kty"] === "string");
    if (isSet) return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new UserError(`${file.name} is no key set: it has no list of keys, each with its kty.`);
}

function readText({ name, path }: NamedFile): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    throw new UserError(`There is no file ${name}, or it cannot be read.`);
  }
}
