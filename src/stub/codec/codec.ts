import { isJsonObject, type Json, type JsonObject } from "../../foundation/json/json.ts";
import type { Decoder } from "./decoder.ts";
import { DecodingFailure } from "./decoding-failure.ts";
import { InvalidJson, parseExactly } from "./exact-parser.ts";
import type { Parsed } from "./parsed.ts";
import { SchemaDecoders } from "./schema-decoder.ts";

/** A decoded body, or the reason of its refusal in a node's words. */
export type DecodedBody =
  | { readonly type: "decoded"; readonly value: JsonObject }
  | { readonly type: "refused"; readonly reason: string };

/** The text of a body, and its JSON if that was parsed. */
interface ReceivedBody {
  /** With its byte order mark. The nesting must be limited. */
  readonly text: string;
  readonly json: Json | undefined;
}

/** Decodes request bodies like a node of release 3.5, over the schemas of a description. */
export class Codec {
  readonly #decoders: SchemaDecoders;

  constructor(description: JsonObject) {
    this.#decoders = new SchemaDecoders(description);
  }

  /** Decodes a body against the schema at this JSON pointer. */
  decode(schemaPointer: string, { text, json }: ReceivedBody): DecodedBody {
    const decode = this.#decoders.at(schemaPointer);
    if (json !== undefined && !hasUnusualNumber.test(text)) {
      const decoded = decode(json);
      if (!(decoded instanceof DecodingFailure) && isJsonObject(decoded)) return { type: "decoded", value: decoded };
    }
    return decodeExactly(decode, text);
  }
}

/** A number that JSON.parse may round: with a fraction or an exponent. Strings may match too, which costs time only. */
const hasUnusualNumber = /[[:,\s]-?[0-9]+(?:\.|[eE][+-]?)[0-9]/;

/** The slow way, which knows how the text is written: for refused bodies and unusual numbers. */
function decodeExactly(decode: Decoder, text: string): DecodedBody {
  let parsed: Parsed;
  try {
    parsed = parseExactly(text);
  } catch (error) {
    if (!(error instanceof InvalidJson)) throw error;
    return { type: "refused", reason: error.message };
  }
  const decoded = decode(parsed);
  if (decoded instanceof DecodingFailure) return { type: "refused", reason: decoded.text };
  if (!isJsonObject(decoded)) throw new Error("invariant: a body decodes to an object");
  return { type: "decoded", value: decoded };
}
