import type { JsonObject } from "../../foundation/json/json.ts";
import type { Session } from "./session.ts";

/** A tool that an assistant can call. Input and output are JSON objects. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  /** What it does, for a reader who knows nothing else; the first sentence stands alone. */
  readonly description: string;
  /** Whether a call changes nothing. */
  readonly isReadOnly: boolean;
  /** JSON schemas of the arguments by name. */
  readonly input: Readonly<Record<string, JsonObject>>;
  readonly required: readonly string[];
  /** JSON schemas of the members of the result; undefined where the result has several forms. */
  readonly output?: Readonly<Record<string, JsonObject>>;
  /** Receives arguments that fit the schema. Rejects with an UnderstudyError or a RangeError for a wrong one. */
  run(given: JsonObject, session: Session): Promise<JsonObject>;
}

/** The argument that names a stub. */
export const stubArgument: JsonObject = {
  type: "string",
  description: "Id of a running stub, from start_stub. Default: the stub, if only one is running.",
};
