type Code = "COMMAND_PREPROCESSING_FAILED" | "INVALID_ARGUMENT";

/** Why a node refuses a value: the code and the text of the node, and the place in the JSON, which the text does not say. */
export class ValueError extends Error {
  readonly code: Code;
  /** Such as `owner` or `lines[2].amount`; empty for the value itself. */
  readonly path: string;
  /** The part of a node that refuses: its JSON layer, or the engine. */
  readonly origin: "node" | "json-layer";

  constructor(code: Code, message: string, path: string, origin: ValueError["origin"]) {
    super(message);
    this.code = code;
    this.path = path;
    this.origin = origin;
  }
}

/** A value that the JSON layer cannot convert. */
export function invalidJson(problem: string, path: string): ValueError {
  return new ValueError(
    "INVALID_ARGUMENT",
    `The submitted request has invalid arguments: ${problem}`,
    path,
    "json-layer",
  );
}

/** A value that is not valid for any type. */
export function invalidValue(problem: string, path: string): ValueError {
  return new ValueError("INVALID_ARGUMENT", `The submitted request has invalid arguments: ${problem}`, path, "node");
}

/** A value that is not one of its type. */
export function mistyped(problem: string, path: string, origin: ValueError["origin"] = "node"): ValueError {
  return new ValueError("COMMAND_PREPROCESSING_FAILED", problem, path, origin);
}
