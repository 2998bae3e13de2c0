import type { Json, JsonObject } from "../../foundation/json/json.ts";
import type { Matcher, MatchingRule } from "./matching-rules.ts";
import type { ValuePath } from "./rule-path.ts";

/** A value with its schema and its matching rules. `rulePath` is its path for the rules: it starts at a variant, or at the body. */
export interface BodyPlace {
  readonly value: Json;
  readonly schema: JsonObject;
  /** JSON pointer from the body. */
  readonly pointer: string;
  /** Path from the body. */
  readonly place: ValuePath;
  readonly rules: readonly MatchingRule[];
  readonly rulePath: ValuePath;
  readonly section: string;
  /** Matchers from an `eachValue` above the value. They apply if the value has no rule of its own. */
  readonly imposed: readonly Matcher[];
}

/** A difference between a value of a body, or its matching rules, and the schema of the spec. */
export interface BodyFinding {
  readonly outcome: "FAIL" | "WARN";
  readonly expected: string;
  readonly actual: string;
  readonly pointer: string;
  readonly section: string;
  /** Path of the value from the body. */
  readonly place: ValuePath;
}
