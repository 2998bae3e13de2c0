import { isIdentifier } from "../../foundation/spec/identifiers.ts";

// Problems with ids in the words of a node. Evidence: Canton 3.5, IdString.scala, UniqueIdentifier.scala (source and tests).

interface Kind {
  /** The name in `contracts/identifiers.yaml`. */
  readonly syntax: string;
  /** The name in the texts of a node. */
  readonly name: string;
  readonly lengthMax: number;
}

const party: Kind = { syntax: "damlParty", name: "Daml-LF Party", lengthMax: 255 };
const ledgerString: Kind = { syntax: "ledgerString", name: "Daml-LF Ledger String", lengthMax: 255 };
const packageId: Kind = { syntax: "packageId", name: "Daml-LF Package ID", lengthMax: 64 };

/** Why a text is no party; undefined if it is one. A party needs no namespace. */
export function partyProblem(text: string): string | undefined {
  return problemOf(party, text);
}

/** Why a text is no LedgerString; undefined if it is one. */
export function ledgerStringProblem(text: string): string | undefined {
  return problemOf(ledgerString, text);
}

/** Why a text is no package id; undefined if it is one. */
export function packageIdProblem(text: string): string | undefined {
  return problemOf(packageId, text);
}

function problemOf({ syntax, name, lengthMax }: Kind, text: string): string | undefined {
  if (isIdentifier(syntax, text)) return undefined;
  if (text === "") return `${name} is empty`;
  if (text.length > lengthMax) return `${name} is too long (max: ${lengthMax})`;
  const index = Array.from({ length: text.length }, (_, place) => place).find(
    (place) => !isIdentifier(syntax, text.charAt(place)),
  );
  const code = index === undefined ? 0 : text.charCodeAt(index);
  return `non expected character 0x${code.toString(16)} in ${name} "${text}"`;
}

/** Why a text is no identifier with a namespace, such as a party on a synchronizer; undefined if it is one. */
export function uniqueIdentifierProblem(text: string): string | undefined {
  if (isIdentifier("partyId", text)) return undefined;
  if (text === "") return "Empty string is not a valid unique identifier.";
  const place = text.indexOf("::");
  if (place < 0) return `Invalid unique identifier \`${text}\` with missing namespace.`;
  if (place === 0) return `Invalid unique identifier \`${text}\` with empty identifier.`;
  const misread = partyProblem(text.slice(0, place));
  return misread === undefined
    ? `Fingerprint decoding of \`${text}\` failed with: ${fingerprintProblem(text.slice(place + 2))}`
    : `Identifier decoding of \`${text}\` failed with: ${misread}`;
}

const fingerprintLengthMax = 68;

function fingerprintProblem(text: string): string {
  const misread = partyProblem(text);
  if (misread !== undefined) return `StringConversionError(${misread})`;
  return text.length > fingerprintLengthMax
    ? `InvariantViolation(The given Fingerprint has a maximum length of ${fingerprintLengthMax} but a Fingerprint of length ${text.length} ('${text}.') was given)`
    : "StringConversionError(String contains reserved delimiter `::`.)";
}

/** Why a text is no logical or physical synchronizer id; undefined if it is one. */
export function synchronizerProblem(text: string): string | undefined {
  return isIdentifier("synchronizer", text)
    ? undefined
    : (uniqueIdentifierProblem(text) ?? `${JSON.stringify(text)} is not a synchronizer id`);
}
