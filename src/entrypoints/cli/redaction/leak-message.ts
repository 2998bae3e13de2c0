import type { Leak } from "../../../recordings/redaction/leaks.ts";

const names: Readonly<Record<Leak["kind"], string>> = {
  jwt: "a JWT",
  pem: "a PEM block",
  secret: "a listed secret",
  bearer: "a bearer token",
};

/** A leak for people: what it is, and in which encoding. */
export function leakText({ kind, within }: Leak): string {
  return `${names[kind]}${within === "" ? "" : ` in ${within}`}`;
}
