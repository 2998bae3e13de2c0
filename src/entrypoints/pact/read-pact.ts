import type { HeaderList } from "../../foundation/http/header.ts";
import {
  formatJson,
  isJsonObject,
  type Json,
  type JsonObject,
  parseJson,
  textOfJson,
} from "../../foundation/json/json.ts";
import { listOf, objectOf, objectsOf, optionalTextOf, textOf } from "../../foundation/json/members.ts";
import { firstOf, type Problem } from "../../scenarios/files/problem.ts";
import { readAnyJson } from "../../scenarios/files/read-json.ts";
import type { Place, ValuePath } from "../../scenarios/files/source-file.ts";
import { readBody } from "./_read-body.ts";
import type {
  Interaction,
  PactFile,
  PactRequest,
  PactResponse,
  ProviderState,
  SkippedInteraction,
} from "./interaction.ts";
import { readMatchingRules } from "./matching-rules.ts";

export type PactResult =
  | { readonly type: "read"; readonly file: PactFile }
  | { readonly type: "invalid"; readonly problems: readonly Problem[] };

/** Member of the metadata with Understudy's own entries, such as the profile. */
export const ownMetadata = "understudy";

/** Reads a Pact file of version 2, 3 or 4. The result lists all problems. */
export function readPact(name: string, text: string): PactResult {
  const json = text.replace(/^\uFEFF/, "");
  const parsed = parse(name, json);
  if (parsed.type === "invalid") return parsed;
  const problems: Problem[] = [];
  const source: Source = {
    name,
    placeOf: readAnyJson(name, json, () => json)?.placeOf ?? (() => ({ line: 1, column: 1 })),
    problem: (path, problem, advice) => problems.push({ file: name, ...source.placeOf(path), problem, advice }),
  };
  const file = readFile(source, parsed.value);
  if (problems.length === 0 && file !== undefined) return { type: "read", file };
  const inOrder = problems.toSorted((left, right) => (left.line ?? 0) - (right.line ?? 0));
  return { type: "invalid", problems: firstOf(inOrder, (found) => found) };
}

interface Source {
  readonly name: string;
  placeOf(path: ValuePath): Place;
  problem(path: ValuePath, problem: string, advice: string): void;
}

interface VersionedSource extends Source {
  readonly version: 2 | 3 | 4;
}

function parse(
  name: string,
  text: string,
): { readonly type: "read"; readonly value: Json } | Extract<PactResult, { type: "invalid" }> {
  try {
    return { type: "read", value: parseJson(text) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const [, line, column] = /\(line (\d+) column (\d+)/.exec(error.message) ?? [];
    const end = text.trimEnd().split("\n");
    const place = { line: Number(line ?? end.length), column: Number(column ?? (end.at(-1)?.length ?? 0) + 1) };
    const problem =
      text.trim() === ""
        ? "the file is empty"
        : `the file is not valid JSON: ${error.message.replace(/ \(line .*/, "")}`;
    const advice = "A Pact file is JSON; let the Pact library write it, or correct the syntax.";
    return { type: "invalid", problems: [{ file: name, ...place, problem, advice }] };
  }
}

const notAPact =
  "A Pact file has the members consumer, provider and interactions. docs/pact.md shows how to create one.";

function readFile(source: Source, root: Json): PactFile | undefined {
  if (!isJsonObject(root) || !("interactions" in root || "messages" in root)) {
    source.problem([], "the file is not a Pact file: it has no member interactions", notAPact);
    return undefined;
  }
  const version = versionOf(source, root);
  const list = root["interactions"] ?? [];
  if (!Array.isArray(list)) source.problem(["interactions"], "interactions is not a list", notAPact);
  const entries = listOf(list).map((entry, index) => readEntry({ ...source, version }, entry, ["interactions", index]));
  return {
    name: source.name,
    consumer: nameOf(source, root, "consumer"),
    provider: nameOf(source, root, "provider"),
    version,
    profile: optionalTextOf(objectOf(objectOf(root["metadata"])[ownMetadata])["profile"]),
    interactions: entries.flatMap((entry) => (entry !== undefined && "request" in entry ? [entry] : [])),
    skipped: [
      ...entries.flatMap((entry) => (entry !== undefined && "reason" in entry ? [entry] : [])),
      ...objectsOf(root["messages"]).map(({ description }, index) => ({
        description: textOf(description),
        reason: "it is a message",
        path: ["messages", index],
      })),
    ],
    placeOf: source.placeOf,
  };
}

function versionOf(source: Source, root: JsonObject): 2 | 3 | 4 {
  const metadata = objectOf(root["metadata"]);
  const named = [metadata["pactSpecification"], metadata["pact-specification"]].map((value) => objectOf(value));
  const stated = named.map(({ version }) => version).find((version) => version !== undefined);
  const text = stated ?? metadata["pactSpecificationVersion"] ?? guessedVersion(root);
  const major = Number(/^\s*(\d+)/.exec(textOfJson(text))?.[1]);
  // Version 1 is version 2 without matching rules.
  if (major === 1 || major === 2) return 2;
  if (major === 3 || major === 4) return major;
  const problem = `the file follows version ${formatJson(text)} of the Pact specification`;
  source.problem(["metadata"], problem, "Supported versions: 2, 3 and 4.");
  return 4;
}

function guessedVersion(root: JsonObject): string {
  const first = objectOf(listOf(root["interactions"])[0]);
  if (first["type"] !== undefined) return "4";
  return first["providerStates"] === undefined ? "2" : "3";
}

function nameOf(source: Source, root: JsonObject, side: "consumer" | "provider"): string {
  const { name } = objectOf(root[side]);
  if (typeof name === "string" && name !== "") return name;
  source.problem([side], `${side}.name is missing`, `Write "${side}": { "name": "…" }.`);
  return "";
}

type Entry = Interaction | SkippedInteraction | undefined;

function readEntry(source: VersionedSource, value: Json, path: ValuePath): Entry {
  const where = path.join(".");
  if (!isJsonObject(value)) {
    source.problem(path, `${where} is not an object`, "An interaction has description, request and response.");
    return undefined;
  }
  const description = textOf(value["description"]);
  const type = value["type"] ?? "Synchronous/HTTP";
  if (source.version === 4 && type !== "Synchronous/HTTP") {
    const isMessage = type === "Asynchronous/Messages" || type === "Synchronous/Messages";
    return { description, path, reason: isMessage ? "it is a message" : `its type is ${formatJson(type)}` };
  }
  const plugins = Object.keys(objectOf(value["pluginConfiguration"]));
  if (plugins.length > 0) return { description, path, reason: `it is for the plugin ${plugins.join(", ")}` };
  if (description === "")
    source.problem(
      [...path, "description"],
      `${where}.description is missing`,
      "Describe the request of the consumer.",
    );
  const request = readRequest(source, value["request"], [...path, "request"]);
  const response = readResponse(source, value["response"], [...path, "response"]);
  if (request === undefined || response === undefined) return undefined;
  return {
    description,
    providerStates: providerStatesOf(source, value, path),
    request,
    response,
    path,
  };
}

function providerStatesOf(source: Source, value: JsonObject, path: ValuePath): readonly ProviderState[] {
  const old = value["providerState"] ?? value["provider_state"];
  if (typeof old === "string") return [{ name: old, params: {} }];
  const list = value["providerStates"];
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list)) {
    source.problem([...path, "providerStates"], "providerStates is not a list", 'Write [{ "name": "…" }].');
    return [];
  }
  return list.map((state, index) => {
    const { name, params } = objectOf(state);
    if (typeof name !== "string")
      source.problem([...path, "providerStates", index], "a provider state has no name", 'Write { "name": "…" }.');
    return { name: textOf(name), params: objectOf(params) };
  });
}

function readRequest(source: VersionedSource, value: Json | undefined, path: ValuePath): PactRequest | undefined {
  const message = readMessage(source, value, path);
  if (message === undefined) return undefined;
  const { method, path: target } = objectOf(value);
  if (typeof method !== "string" || method === "")
    source.problem([...path, "method"], `${path.join(".")}.method is missing`, 'Use a method such as "GET".');
  if (typeof target !== "string" || !target.startsWith("/"))
    source.problem([...path, "path"], `${path.join(".")}.path is not a path`, "Start the path with a slash.");
  const query = queryOf(source, objectOf(value)["query"], [...path, "query"]);
  return {
    ...message,
    method: textOf(method).toUpperCase(),
    target: query === "" ? textOf(target) : `${textOf(target)}?${query}`,
  };
}

/** Query string of a request. Version 2 has it as text, later versions as values by name. */
function queryOf(source: Source, query: Json | undefined, path: ValuePath): string {
  if (query === undefined || query === null) return "";
  if (typeof query === "string") return query.replace(/^\?/, "");
  if (!isJsonObject(query)) {
    source.problem(path, "query is neither a string nor an object", 'Write { "pageSize": ["2"] }.');
    return "";
  }
  const search = new URLSearchParams();
  for (const [name, values] of Object.entries(query))
    for (const value of Array.isArray(values) ? values : [values])
      search.append(name, value === null ? "" : textOfJson(value));
  return search.toString();
}

function readResponse(source: VersionedSource, value: Json | undefined, path: ValuePath): PactResponse | undefined {
  const message = readMessage(source, value, path);
  if (message === undefined) return undefined;
  const status = objectOf(value)["status"] ?? 200;
  if (typeof status === "number" && Number.isInteger(status) && status >= 100 && status <= 599)
    return { ...message, status, rules: readMatchingRules(objectOf(value)["matchingRules"]) };
  source.problem(
    [...path, "status"],
    `${path.join(".")}.status is not a valid status`,
    "Use an integer from 100 to 599.",
  );
  return undefined;
}

function readMessage(source: VersionedSource, value: Json | undefined, path: ValuePath) {
  if (!isJsonObject(value)) {
    source.problem(path, `${path.join(".")} is missing`, "An interaction has description, request and response.");
    return undefined;
  }
  const headers = headersOf(source, value["headers"], [...path, "headers"]);
  const rules = value["matchingRules"];
  if (rules !== undefined && rules !== null && !isJsonObject(rules))
    source.problem([...path, "matchingRules"], `${path.join(".")}.matchingRules is no object`, notAPact);
  const body = readBody(source.version, value["body"], headers, [...path, "body"]);
  if (body.type === "invalid") source.problem(body.path, body.problem, body.advice);
  return {
    headers,
    body: body.type === "invalid" || body.type === "none" ? undefined : body,
    path,
  };
}

function headersOf(source: Source, value: Json | undefined, path: ValuePath): HeaderList {
  if (value === undefined || value === null) return [];
  if (!isJsonObject(value)) {
    source.problem(path, "headers is not an object", 'Write { "Content-Type": "application/json" }.');
    return [];
  }
  return Object.entries(value).map(([name, texts]) => [
    name,
    Array.isArray(texts) ? texts.map(textOfJson).join(", ") : textOfJson(texts),
  ]);
}
