import type { Json } from "../../foundation/json/json.ts";
import type { DecodingFailure } from "./decoding-failure.ts";
import type { Parsed } from "./parsed.ts";

/** Decodes one value. The message that holds the value handles null and defaults. */
export type Decoder = (value: Parsed) => Json | DecodingFailure;
