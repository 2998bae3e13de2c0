import { isPlaceholder } from "../../foundation/secrets/secret-name.ts";
import { isHexName } from "./generated-name.ts";
import { firstOffset, type NamedOriginal } from "./pseudonyms.ts";
import { isHintKind, isSecretKind } from "./renaming.ts";

// The syntaxes of contracts/identifiers.yaml; a pseudonym has the syntax of its original.
const hint = /^:?[A-Za-z0-9_ -]+(?::[A-Za-z0-9_ -]+)*$/;
const correlation = /^[A-Za-z0-9._:\-#/ ]{1,255}$/;
const user = /^[A-Za-z0-9@^$.!`\-#+'~_|:()]{1,128}$/;
/** Number of digits in the pseudonyms of non-standard fingerprints and short contract ids, and in generated keys. */
const oddDigits = 64;

/** Why a text is not a valid pseudonym for an original of its kind; undefined if it is valid. */
export function nameProblem({ kind, original, name }: NamedOriginal): string | undefined {
  if (isHintKind(kind)) return hint.test(name) ? undefined : `is not a valid ${kind} name`;
  if (isSecretKind(kind)) return isPlaceholder(name) ? undefined : `is not a valid name of a secret, such as ${kind}-1`;
  switch (kind) {
    case "correlation":
      return correlation.test(name) ? undefined : "is not a valid request id";
    case "user":
      return user.test(name) ? undefined : "is not a valid user id";
    case "offset":
      return /^\d{1,13}$/.test(name) && BigInt(name) <= firstOffset
        ? undefined
        : `is not a number from 0 to ${firstOffset}`;
    default:
      return hexProblem({ kind, original, name });
  }
}

function hexProblem({ kind, original, name }: NamedOriginal): string | undefined {
  // The pseudonym of a fingerprint is the hash of a key.
  const isName = kind === "fingerprint" ? /^[0-9a-f]+$/.test(name) : isHexName(name);
  if (!isName) return "is not a name that redaction gives to hex digits";
  const mayBeOdd = kind === "fingerprint" || kind === "contract" || kind === "key";
  const hasLength = name.length === original.length || (mayBeOdd && name.length === oddDigits);
  return hasLength ? undefined : `has ${name.length} digits, its original ${original.length}`;
}
