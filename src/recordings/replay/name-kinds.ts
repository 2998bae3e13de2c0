import { isJsonObject, type Json, type JsonObject } from "../../foundation/json/json.ts";
import { isIdentifier } from "../../foundation/spec/identifiers.ts";
import { fingerprintName, identifierParts, idSpace, type Part, partsOf } from "../../foundation/spec/name-parts.ts";
import { memberObject, type SpecOperation, valueAt } from "../../foundation/spec/operation.ts";
import type { Spec } from "../../foundation/spec/spec.ts";
import { isShortContractId } from "../redaction/identifiers.ts";

/** The path of a value in JSON: the member names, with `*` for list elements. */
export type NamePath = readonly string[];

/** Splits the text at a path into names and other parts. */
export type NameReader = (text: string, path: NamePath) => readonly Part[];

/** The space of values that differ in every request or recording. Both sides must have one; the values are not compared. */
export const volatileSpace = "volatile";

/** Limit of cached syntaxes, by path. */
const rememberedMax = 10_000;

/** Finds names in the texts of messages by the syntax that the spec gives for their members. */
export class NameKinds {
  readonly #spec: Spec;
  readonly #known = new Map<string, string>();

  constructor(spec: Spec) {
    this.#spec = spec;
  }

  ofRequest(operation: SpecOperation | undefined): NameReader {
    return this.#reader(operation, operation?.requestSchema);
  }

  ofResponse(operation: SpecOperation | undefined, status: number): NameReader {
    const responses = operation?.responses;
    return this.#reader(operation, (responses?.[String(status)] ?? responses?.["default"])?.schema);
  }

  ofParameter(operation: SpecOperation, name: string): (text: string) => readonly Part[] {
    const parameter = operation.parameters.find((candidate) => candidate.name === name);
    const syntax = parameter?.schema["x-identifier"];
    return (text) => partsBy(typeof syntax === "string" ? syntax : "", name, text);
  }

  #reader(operation: SpecOperation | undefined, schema: string | undefined): NameReader {
    if (operation === undefined || schema === undefined) return (text, path) => partsBy("", path.at(-1) ?? "", text);
    return (text, path) => {
      const member = path.findLast((segment) => segment !== "*") ?? "";
      return partsBy(this.#syntaxAt(operation, schema, path), member, text);
    };
  }

  #syntaxAt({ api }: SpecOperation, schema: string, path: NamePath): string {
    const key = [schema, ...path].join("\u0000");
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    if (this.#known.size >= rememberedMax) this.#known.clear();
    const syntax = syntaxIn(this.#spec.descriptions[api], schema, path);
    this.#known.set(key, syntax);
    return syntax;
  }
}

/** The name of the syntax that an API description gives for the value at a path; empty for none. */
function syntaxIn(description: JsonObject, schema: string, path: NamePath): string {
  let found = alternativesOf(description, valueAt(description, schema));
  for (const segment of path) found = found.flatMap((outer) => alternativesOf(description, below(outer, segment)));
  const syntax = found.map((candidate) => candidate["x-identifier"]).find((value) => typeof value === "string");
  return typeof syntax === "string" ? syntax : "";
}

function below(schema: JsonObject, segment: string): Json | undefined {
  const properties = memberObject(schema, "properties");
  if (Object.hasOwn(properties, segment)) return properties[segment];
  return segment === "*" ? schema["items"] : schema["additionalProperties"];
}

/** Levels of references that are followed. */
const depthMax = 20;

function alternativesOf(description: JsonObject, schema: Json | undefined, depth = 0): readonly JsonObject[] {
  if (!isJsonObject(schema) || depth > depthMax) return [];
  const reference = schema["$ref"];
  const referred = typeof reference === "string" ? [valueAt(description, reference.slice(1)) ?? null] : [];
  const inner = ["allOf", "anyOf", "oneOf"].flatMap((name) => {
    const list = schema[name];
    return Array.isArray(list) ? list : [];
  });
  return [schema, ...[...referred, ...inner].flatMap((other) => alternativesOf(description, other, depth + 1))];
}

const providerSpace = "identity-provider";

/** Members that contain a name without a syntax in the spec, with the space of the name. */
const spaces: Readonly<Record<string, string>> = {
  commandId: "commandId",
  "idp-id": providerSpace,
  "identity-provider-id": providerSpace,
  identityProviderId: providerSpace,
  nextPageToken: "",
  pageToken: "",
  partyHint: idSpace,
  partyIdHint: idSpace,
  signature: volatileSpace,
  sourceIdentityProviderId: providerSpace,
  submissionId: "submissionId",
  targetIdentityProviderId: providerSpace,
  traceId: volatileSpace,
  userId: "user",
  workflowId: "workflowId",
};

function partsBy(syntax: string, member: string, text: string): readonly Part[] {
  if (text === "") return literal(text);
  const space = Object.hasOwn(spaces, member) ? spaces[member] : undefined;
  if (space !== undefined) return isNameIn(space, text) ? whole(space, text) : literal(text);
  switch (syntax) {
    case "userId":
      return isIdentifier("userId", text) ? whole("user", text) : literal(text);
    case "base64":
    case "createdEventBlob":
      return whole("", text);
    case "ledgerString":
      return namedOrHex(member, text);
    case "packageId":
      return namedOrHex("package", text);
    case "fingerprint":
      return [fingerprintName(text)];
    default:
      return contractMember.test(member) && isShortContractId(text) ? whole("", text) : idsWithin(text);
  }
}

const contractMember = /(?:Id|Cids?)$/;
const idInText = /(?<![\w-])[\w-]{1,185}::1220[0-9a-f]{64}(?![\w-])/g;

/** The names of a text. A longer text, such as a memo, may contain ids of parties. */
function idsWithin(text: string): readonly Part[] {
  const parts = partsOf(text);
  if (!text.includes("::1220") || (parts[0]?.type === "name" && parts[0].space === idSpace)) return parts;
  let end = 0;
  const split: Part[] = [];
  for (const { 0: id, index } of text.matchAll(idInText)) {
    split.push(...identifierParts(text.slice(end, index)), ...partsOf(id));
    end = index + id.length;
  }
  return [...split, ...identifierParts(text.slice(end))];
}

/** Whether a text is a name in a space; an invalid user id is not, since nodes refuse it. */
function isNameIn(space: string, text: string): boolean {
  return space !== "user" || isIdentifier("userId", text);
}

function namedOrHex(space: string, text: string): readonly Part[] {
  const parts = identifierParts(text);
  return parts.every(({ type }) => type === "text") ? whole(space, text) : parts;
}

function whole(space: string, text: string): readonly Part[] {
  return [{ type: "name", space, text }];
}

function literal(text: string): readonly Part[] {
  return [{ type: "text", text }];
}
