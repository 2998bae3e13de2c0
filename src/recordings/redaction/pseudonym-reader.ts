import { bytesOfBase64 } from "../../foundation/text/base64.ts";
import { GeneratedKeys } from "./generated-keys.ts";
import { isHexName } from "./generated-name.ts";

/** Fingerprints of so many generated keys are recognized. */
const keysMax = 10_000;
const digitRun = /[0-9a-f]{32}[0-9a-f]*/g;
const base64 = /^[A-Za-z0-9+/]{24}[A-Za-z0-9+/]*={0,2}$/;
const latin = new TextDecoder("latin1");

/** Whether a text is the pseudonym that redaction gives to a user. */
export function isUserPseudonym(text: string): boolean {
  return /^renamed-user-[1-9]\d*$/.test(text);
}

/** Recognizes the pseudonyms of users, fingerprints, contracts, updates and hashes, in base64 too. */
export class PseudonymReader {
  readonly #keys = new GeneratedKeys(keysMax);

  /** Whether a user id, hex digits or a message in base64 is or contains a pseudonym. */
  isPseudonym(text: string): boolean {
    if (isUserPseudonym(text) || this.#hasDigits(text)) return true;
    const bytes = base64.test(text) ? bytesOfBase64(text) : undefined;
    return bytes !== undefined && this.#hasDigits(latin.decode(bytes));
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
