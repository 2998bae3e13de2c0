import { isJsonObject, type Json, type JsonObject, jsonOf } from "../../foundation/json/json.ts";
import { SecretFinder } from "../../foundation/secrets/secret-finder.ts";
import { secretSpans } from "../../foundation/secrets/secret-header.ts";
import { isKeyPart, isPlaceholder, secretRoleOf } from "../../foundation/secrets/secret-name.ts";

/** A secret found in redacted text: kind and location, never the secret itself. */
export interface Leak {
  readonly kind: "jwt" | "pem" | "secret" | "bearer" | "basic" | "user-info" | "named";
  /** JSON pointer into the text; empty if the text is not JSON. */
  readonly pointer: string;
  /** The encoding around the secret, such as `base64`; empty for none. */
  readonly within: string;
}

/** Levels of JSON within JSON strings that are read. */
const depthMax = 4;

/** Creates a function that finds the secrets that redaction must not have kept, and the given ones, in nested encodings too. */
export function createLeakGate(secrets: readonly string[] = []): (text: string) => readonly Leak[] {
  const finder = new SecretFinder(secrets.map((text) => ({ text, kind: "secret" })));
  return (text) => {
    const search = new LeakSearch(finder);
    search.visit(jsonOf(text) ?? text, "", 0);
    return [...search.leaks.values()];
  };
}

/** A search of one text; it knows the path to the value at hand. */
class LeakSearch {
  readonly leaks = new Map<string, Leak>();
  readonly #finder: SecretFinder;
  readonly #path: (string | number)[] = [];

  constructor(finder: SecretFinder) {
    this.#finder = finder;
  }

  /** `member` is the name of the value, or of the list that has it; `depth` counts the JSON strings around it. */
  visit(value: Json, member: string, depth: number): void {
    if (typeof value === "string") this.#inspect(value, member, depth);
    else if (Array.isArray(value))
      for (const [index, element] of value.entries()) this.#at(index, depth, () => this.visit(element, member, depth));
    else if (isJsonObject(value)) this.#visitMembers(value, depth);
  }

  #visitMembers(object: JsonObject, depth: number): void {
    const label = object["name"] ?? object["key"];
    for (const [name, value] of Object.entries(object))
      this.#at(name, depth, () => {
        this.#inspect(name, "", depth);
        const isPair = name === "value" && typeof label === "string" && typeof value === "string";
        this.visit(isPair ? this.#withoutSpans(value, label, depth) : value, name, depth);
      });
  }

  /** A pointer leads to the string that has JSON within. */
  #at(step: string | number, depth: number, visit: () => void): void {
    if (depth === 0) this.#path.push(step);
    visit();
    if (depth === 0) this.#path.pop();
  }

  #inspect(text: string, member: string, depth: number): void {
    if (member !== "") this.#inspectMember(text, member, depth);
    const json = depth < depthMax && /^\s*["[{]/.test(text) ? jsonOf(text) : undefined;
    if (json !== undefined) this.visit(json, "", depth + 1);
    // The values of JSON were visited; a listed secret may cover several.
    for (const found of json === undefined ? this.#finder.allDeep(text) : this.#finder.listed(text))
      if (!isPlaceholder(found.text) && found.kind !== "signature")
        this.#note(found.form === "listed" ? "secret" : found.form, depth, found.within);
  }

  /** A value that the name of its member shows to be a secret. A signature has no placeholder. */
  #inspectMember(value: string, member: string, depth: number): void {
    const role = secretRoleOf(member);
    const isSecret = role === undefined ? isKeyPart(member, value) : role !== "signature" && value !== "";
    if (isSecret && !isPlaceholder(value)) this.#note("named", depth);
  }

  /** The value of a pair without its secret parts, which were compared with placeholders. The label may be the name of a header. */
  #withoutSpans(value: string, label: string, depth: number): string {
    if (secretRoleOf(label) === "signature") return value;
    let rest = value;
    for (const { start, end, kind } of secretSpans(label, value).toReversed()) {
      if (!isPlaceholder(value.slice(start, end).trim())) this.#note(leakOfSpan[kind], depth);
      rest = rest.slice(0, start) + rest.slice(end);
    }
    return rest;
  }

  #note(kind: Leak["kind"], depth: number, within: readonly string[] = []): void {
    const steps = this.#path.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`);
    const pointer = steps.join("");
    const encodings = [...within, ...new Array<string>(depth).fill("JSON")];
    const key = `${kind} ${pointer}`;
    if (!this.leaks.has(key)) this.leaks.set(key, { kind, pointer, within: encodings.join(" in ") });
  }
}

const leakOfSpan = { token: "bearer", credentials: "basic", cookie: "named", secret: "named" } as const;
