import type { Leak } from "../../../recordings/redaction/leaks.ts";

const kindTexts: Readonly<Record<Leak["kind"], string>> = {
  jwt: "a JWT",
  pem: "a PEM block",
  secret: "a listed secret",
  bearer: "a bearer token",
  basic: "basic credentials",
  "user-info": "the user and the password of a URL",
  named: "a value that its name shows to be a secret",
};

/** The kind and the encoding of a leak, as text. */
export function leakText({ kind, within }: Leak): string {
  return `${kindTexts[kind]}${within === "" ? "" : ` in ${within}`}`;
}
