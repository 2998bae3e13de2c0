import type { JsonObject } from "../../../foundation/json/json.ts";
import type { HashingScheme } from "../../../foundation/protobuf/transaction-hash.ts";

const firstProtocolVersion: Readonly<Record<HashingScheme, number>> = { V2: 0, V3: 35, V4: 36 };
const namePrefix = "HASHING_SCHEME_VERSION_";

/** The hashing scheme that a request names; V2 if it names none. */
export function hashingSchemeOf(body: JsonObject): HashingScheme {
  return hashingSchemes.find((scheme) => body["hashingSchemeVersion"] === nameOfScheme(scheme)) ?? "V2";
}

const hashingSchemes = ["V2", "V3", "V4"] as const;

export function nameOfScheme(scheme: HashingScheme): string {
  return `${namePrefix}${scheme}`;
}

/** Whether a protocol version supports the scheme (Canton 3.5, source; V4: release notes of 3.6.1). */
export function isSchemeSupported(scheme: HashingScheme, protocolVersion: number): boolean {
  return protocolVersion >= firstProtocolVersion[scheme];
}
