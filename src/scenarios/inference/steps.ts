import { type HeaderList, headerValues } from "../../foundation/http/header.ts";
import { isJsonObject, type Json, type JsonObject } from "../../foundation/json/json.ts";
import { escapeSegment } from "../../foundation/spec/operation.ts";
import { parameterNames } from "../files/check-parameters.ts";
import { freeName, kebab } from "./_names.ts";
import type { RecordedCall } from "./recorded-call.ts";

/** A call as a step of a scenario, without success criteria. */
export interface DraftStep {
  readonly call: RecordedCall;
  readonly stepId: string;
  readonly json: JsonObject;
  /** Expressions that later steps refer to, by name. */
  readonly outputs: Map<string, string>;
}

/** Every call as a step. A value that an earlier response gave becomes a reference to that response. */
export function stepsOf(calls: readonly RecordedCall[]): readonly DraftStep[] {
  const references = new References();
  const tokens = new SeenTokens();
  const ids = new Set<string>();
  const steps: DraftStep[] = [];
  for (const [place, call] of calls.entries()) {
    const refer: Refer = (value, path) => {
      const source = references.of(value, path);
      return source === undefined ? value : referenceTo(steps[source.place], source);
    };
    const stepId = freeName(idOf(call), ids);
    ids.add(stepId);
    steps.push({ call, stepId, json: stepJson(call, refer, tokens), outputs: new Map() });
    references.note(place, call);
  }
  return steps;
}

/** A value of a request, or the reference to the earlier response that gave it. */
type Refer = (value: Json, path: readonly string[]) => Json;

function stepJson(call: RecordedCall, refer: Refer, tokens: SeenTokens): JsonObject {
  const { operation, exchange } = call;
  const source =
    operation.api === "control" ? "control" : operation.isAdditional ? "additionalOperations" : operation.api;
  const token = operation.isPublic
    ? undefined
    : tokens.written(exchange.request.headers, call.status, call.responseText);
  const accept = headerValues(exchange.request.headers, "accept")[0];
  const parameters: readonly JsonObject[] = [
    ...Object.entries(call.path).map(([name, value]) => ({ name, in: "path", value: refer(value, []) })),
    ...call.query.map(([name, value]) => ({
      ...{ name, in: "query", value: numberOr(refer(value, [])) },
      ...(parameterNames(operation, "query").includes(name) ? {} : { "x-unknown": true }),
    })),
    ...(token === undefined ? [] : [{ name: "Authorization", in: "header", value: token }]),
    ...(accept === undefined || /json|\*\/\*/i.test(accept) ? [] : [{ name: "Accept", in: "header", value: accept }]),
  ];
  return {
    description: `${operation.method} ${operation.path}`,
    operationId: `$sourceDescriptions.${source}.${operation.operationId}`,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...requestBody(call, refer),
  };
}

/** Small numbers are written without quotes for readability; the request is the same. */
function numberOr(value: Json): Json {
  return typeof value === "string" && /^(?:0|-?[1-9]\d{0,8})$/.test(value) ? Number(value) : value;
}

function requestBody({ body, requestText, exchange }: RecordedCall, refer: Refer): JsonObject {
  if (requestText === "") return {};
  const contentType = headerValues(exchange.request.headers, "content-type")[0] ?? "application/json";
  const isRaw = body === undefined || typeof body !== "object" || body === null || !isWritable(body);
  return { requestBody: { contentType, payload: isRaw ? requestText : rewritten(body, [], refer) } };
}

function rewritten(value: Json, path: readonly string[], leaf: Refer): Json {
  if (Array.isArray(value)) return value.map((entry, index) => rewritten(entry, [...path, String(index)], leaf));
  if (!isJsonObject(value)) return leaf(value, path);
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [name, rewritten(entry, [...path, name], leaf)]),
  );
}

/** Whether a step can hold a value unchanged: large integers would be rounded, and a text with $ is an expression. */
export function isWritable(value: Json): boolean {
  if (typeof value === "bigint") return false;
  if (typeof value === "string") return !value.startsWith("$") && !value.includes("{$");
  if (Array.isArray(value)) return value.every(isWritable);
  return isJsonObject(value) ? Object.values(value).every(isWritable) : true;
}

/** The expression for a value of an earlier step. Adds the output to that step. */
function referenceTo(step: DraftStep | undefined, { pointer, name }: Source): string {
  if (step === undefined) throw new Error("invariant: a value comes from an earlier step");
  const expression = `$response.body#${pointer}`;
  for (let number = 1; ; number += 1) {
    const output = number === 1 ? name : `${name}-${number}`;
    const known = step.outputs.get(output);
    if (known !== undefined && known !== expression) continue;
    step.outputs.set(output, expression);
    return `$steps.${step.stepId}.outputs.${output}`;
  }
}

const generation = /^v\d+$/;
const genericSegments: ReadonlySet<string> = new Set([
  "registry",
  "transfer-instruction",
  "metadata",
  "__understudy",
  "worlds",
]);

/** The method and the specific path segments. */
function idOf({ operation }: RecordedCall): string {
  if (operation.api === "control") return kebab(operation.operationId);
  const segments = operation.path.split("/").filter((part) => part !== "" && !part.startsWith("{"));
  const specific = segments.filter((part) => !generation.test(part) && !genericSegments.has(part));
  return [operation.method.toLowerCase(), ...specific.map(kebab)].join("-").replaceAll(/[^a-z0-9-]+/g, "-");
}

const placeholder = /^bearer (token-\d+)$/i;

/** The tokens of a recording, as placeholders: a real one is never written. */
class SeenTokens {
  readonly #numbers = new Map<string, number>();

  /** The Authorization header to send; undefined for none. A token that got 401 is played as no token. */
  written(headers: HeaderList, status: number, responseText: string): string | undefined {
    const [value] = headerValues(headers, "authorization");
    const protocol = headerValues(headers, "sec-websocket-protocol").find((text) => text.includes("jwt.token."));
    const sent = value ?? protocol;
    if (sent === undefined || status === 401) return undefined;
    // The response shows whether the token was empty or was redacted.
    if (/^bearer\s*$/i.test(sent) || (status === 400 && /header Authorization/i.test(responseText))) return "Bearer";
    const known = placeholder.exec(sent)?.[1];
    if (known !== undefined) return `Bearer ${known}`;
    const isBearer = /^bearer\s/i.test(sent) || sent === protocol;
    // Recorders replace secrets by various texts.
    if (!isBearer) return /^(?:basic|digest|negotiate)\s/i.test(sent) ? undefined : "Bearer any";
    const number = this.#numbers.get(sent) ?? this.#numbers.size + 1;
    this.#numbers.set(sent, number);
    return `Bearer token-${number}`;
  }
}

/** The source of a value in an earlier response: the place of the call, and the JSON pointer. */
interface Source {
  readonly place: number;
  readonly pointer: string;
  readonly name: string;
}

/** Members with values that the node generates. A request that repeats one refers to the response of the same run. */
const generatedMembers: ReadonlySet<string> = new Set([
  "contractId",
  "factoryId",
  "multiHash",
  "nextPageToken",
  "partyId",
  "preparedTransaction",
  "preparedTransactionHash",
  "publicKeyFingerprint",
  "topologyTransactions",
  "updateId",
]);

const offsets: ReadonlySet<string> = new Set(["completionOffset", "offset"]);
const offsetMembers = /offset/i;

/** The generated values in earlier responses, with their sources. */
class References {
  readonly #sources = new Map<string, Source>();
  readonly #offsets = new Map<string, Source>();
  /** Texts in requests: a value that a request has before any response is the client's own. */
  readonly #requestTexts = new Set<string>();

  /** The source of a value in a request: a text, or a number under a member that holds an offset. Undefined without one. */
  of(value: Json, path: readonly string[]): Source | undefined {
    if (typeof value === "string") return this.#sources.get(value);
    return path.some((segment) => offsetMembers.test(segment)) ? this.#offsets.get(String(value)) : undefined;
  }

  /** Notes a call after its step is written. */
  note(place: number, { body, path, query, status, response }: RecordedCall): void {
    for (const text of [...Object.values(path), ...query.map(([, value]) => value)]) this.#requestTexts.add(text);
    if (body !== undefined) this.#noteRequestTexts(body);
    if (status >= 200 && status < 300 && response !== undefined) this.#noteResponse(place, response, "", "");
  }

  #noteRequestTexts(value: Json): void {
    if (typeof value === "string") this.#requestTexts.add(value);
    else if (Array.isArray(value)) for (const entry of value) this.#noteRequestTexts(entry);
    else if (isJsonObject(value)) for (const entry of Object.values(value)) this.#noteRequestTexts(entry);
  }

  #noteResponse(place: number, value: Json, pointer: string, name: string): void {
    if (Array.isArray(value)) {
      for (const [index, entry] of value.entries()) this.#noteResponse(place, entry, `${pointer}/${index}`, name);
    } else if (isJsonObject(value)) {
      for (const [member, entry] of Object.entries(value))
        this.#noteResponse(place, entry, `${pointer}/${escapeSegment(member)}`, member);
    } else if (typeof value === "string") {
      if (generatedMembers.has(name) && value !== "" && !this.#requestTexts.has(value) && !this.#sources.has(value))
        this.#sources.set(value, { place, pointer, name });
    } else if (offsets.has(name) && value !== null && Number(value) > 0)
      this.#offsets.set(String(value), { place, pointer, name });
  }
}
