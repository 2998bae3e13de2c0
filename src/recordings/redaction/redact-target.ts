import { parameterRoleOf } from "../../foundation/secrets/secret-name.ts";
import { percentDecoded } from "../../foundation/text/percent-decoded.ts";
import { nowhere, type TextPlace } from "./place.ts";
import type { ValueRedactor } from "./value-redactor.ts";

const parts = /^((?:[a-z][a-z0-9+.-]*:)?(?:\/\/)?)([^/?#]*@)?([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?$/is;

/** Characters of a host and its port. A target that has others may begin with a text of any kind. */
const hostForm = /^[\w.:[\]-]*$/;

/** Redacts the path, query and fragment of a target or URL; other parts stay unchanged. */
export function redactTarget(target: string, redactor: ValueRedactor): string {
  const [, scheme = "", user = "", host = "", path = "", query = "", fragment = ""] = parts.exec(target) ?? [];
  const isHostPlain = hostForm.test(host) && !host.includes("eyJ");
  if (path === "" && query === "" && fragment === "" && user === "" && isHostPlain) return target;
  const named = user === "" ? "" : `${redactor.text(user.slice(0, -1), secretPlace, 0)}@`;
  return (
    scheme +
    named +
    (isHostPlain ? host : reencoded(host, percentDecoded(host), (text) => redactor.text(text, nowhere, 0))) +
    redactPath(path, redactor) +
    (query === "" ? "" : `?${redactQuery(query.slice(1), redactor)}`) +
    (fragment === "" ? "" : `#${redactQuery(fragment.slice(1), redactor)}`)
  );
}

function redactPath(path: string, redactor: ValueRedactor): string {
  let before = "";
  return path.replaceAll(/[^/]+/g, (segment) => {
    const replacement = reencoded(segment, percentDecoded(segment), (text) =>
      redactor.text(text, placeAfter(before), 0),
    );
    before = segment;
    return replacement;
  });
}

const secretPlace: TextPlace = { ...nowhere, role: "secret" };
const places: Readonly<Record<string, TextPlace>> = {
  users: { ...nowhere, role: "user" },
  // The registry has the id of a transfer instruction after its version.
  v1: { ...nowhere, role: "contract" },
  v2: { ...nowhere, role: "contract" },
};

/** The context of a path segment, from the segment before it. */
function placeAfter(before: string): TextPlace {
  return (Object.hasOwn(places, before) ? places[before] : undefined) ?? nowhere;
}

/** Redacts the values of a query or a form by the names of its parameters. */
export function redactQuery(query: string, redactor: ValueRedactor): string {
  return query.replaceAll(/[^&]+/g, (pair) => {
    const sign = pair.indexOf("=");
    if (sign < 0) return reencoded(pair, percentDecoded(pair), (text) => redactor.text(text, nowhere, 0));
    const [name, value] = [pair.slice(0, sign), pair.slice(sign + 1)];
    const named = reencoded(name, percentDecoded(name), (text) => redactor.text(text, nowhere, 0));
    return `${named}=${reencoded(value, percentDecoded(value.replaceAll("+", " ")), (text) => parameter(text, percentDecoded(name), redactor))}`;
  });
}

function parameter(value: string, name: string, redactor: ValueRedactor): string {
  const role = parameterRoleOf(name);
  return role === undefined ? redactor.member(value, name) : redactor.text(value, { ...nowhere, role }, 0);
}

/** Keeps the original encoding of a text that does not change. */
function reencoded(written: string, text: string, redact: (text: string) => string): string {
  const redacted = redact(text);
  if (redacted === text) return written;
  const encoded = encodeURIComponent(redacted);
  if (!/%3A/i.test(written)) return encoded.replaceAll("%3A", ":");
  return written.includes("%3a") ? encoded.replaceAll("%3A", "%3a") : encoded;
}
