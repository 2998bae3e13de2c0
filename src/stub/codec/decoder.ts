import type { Json } from "../../foundation/json/json.ts";
import type { DecodingFailure } from "./decoding-failure.ts";
import type { Parsed } from "./parsed.ts";

/** Decodes one value: null and defaults are the business of the message that holds it. */
export type Decoder = (value: Parsed) => Json | DecodingFailure;
