import { isJsonObject, type Json } from "../../foundation/json/json.ts";
import { escapeSegment } from "../../foundation/spec/operation.ts";
import type { RecordedCall } from "./recorded-call.ts";

/** The source of a value in an earlier response: the place of the call, and the JSON pointer. */
export interface Source {
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
export class References {
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
