import { bytesToHex } from "@noble/hashes/utils.js";
import { bytesOfBase64 } from "../../foundation/text/base64.ts";
import { GeneratedKeys, keyDigits } from "./generated-keys.ts";
import { isHexName } from "./generated-name.ts";
import { ownHint } from "./pseudonyms.ts";

/** Fingerprints of so many generated keys beyond the last one in use are recognized. */
const keysAheadMax = 10_000;
const digitRun = /[0-9a-f]{32}[0-9a-f]*/g;
const base64 = /^[A-Za-z0-9+/]{24}[A-Za-z0-9+/]*={0,2}$/;
const latin = new TextDecoder("latin1");

const idName = /(?:party|synchronizer|participant|mediator|sequencer)-[1-9]\d*::1220[0-9a-f]{64}/;

/** Whether a text is the pseudonym of the part of an id before `::`, or of an id of a request in words. */
export function isWordPseudonym(text: string): boolean {
  return ownHint.test(text) || isRequestIdPseudonym(text);
}

/** Whether a text is the pseudonym that redaction gives to a command or submission id in words. */
export function isRequestIdPseudonym(text: string): boolean {
  return /^correlation-[1-9]\d*$/.test(text);
}

/** Recognizes the pseudonyms of users, fingerprints, contracts, updates, keys and hashes, in base64 too. */
export class PseudonymReader {
  readonly #keys = new GeneratedKeys(keysAheadMax);

  /** Whether a user id, hex digits or a message in base64 is or contains a pseudonym. */
  isPseudonym(text: string): boolean {
    if (/^renamed-user-[1-9]\d*$/.test(text) || this.#hasDigits(text)) return true;
    const bytes = base64.test(text) ? bytesOfBase64(text) : undefined;
    return bytes !== undefined && (isNamedBytes(bytes) || this.#hasNames(latin.decode(bytes)));
  }

  #hasNames(message: string): boolean {
    return idName.test(message) || this.#hasDigits(message);
  }

  #hasDigits(text: string): boolean {
    return [...text.matchAll(digitRun)].some(([run]) => this.#isOfName(run));
  }

  /** The name follows the prefix of a multihash or of a contract id. */
  #isOfName(run: string): boolean {
    if (isHexName(run) || isHexName(run.slice(2)) || isHexName(run.slice(2, 66))) return true;
    return run.startsWith("1220") && (isHexName(run.slice(4)) || this.#keys.keyOf(run.slice(4)) !== undefined);
  }
}

const opaqueBytesMax = 1000;

/** Whether bytes are the pseudonym of a hash or of a key, which may be within its DER form. */
function isNamedBytes(bytes: Uint8Array): boolean {
  if (bytes.length > opaqueBytesMax) return false;
  const digits = bytesToHex(bytes);
  return isHexName(digits) || isHexName(digits.slice(-keyDigits));
}
