/** A ledger error by its code in the catalogue, or an ErrorResponse of the registry. */
export type Refusal =
  | {
      readonly type: "ledger-error";
      readonly code: string;
      readonly cause: string;
      /** Errors of the node name resources as `ErrorResource(USER)`, those of its JSON layer plainly. */
      readonly origin: "node" | "json-layer";
      readonly context: Readonly<Record<string, string>>;
      readonly resources: readonly (readonly [type: string, id: string])[];
      /** What to do, where the cause is the text of a node that does not say it. */
      readonly explanation?: string;
      /** The submission id, or the hash of a topology. */
      readonly correlationId?: string;
    }
  /** A bare status without an error code: the description takes the place of the code (Canton 3.5, JsSchema.scala). */
  | { readonly type: "legacy-error"; readonly description: string }
  | { readonly type: "registry-error"; readonly status: 400 | 404 | 409; readonly error: string };

export type LedgerError = Extract<Refusal, { readonly type: "ledger-error" }>;

/** A refusal by the node itself. */
export function nodeError(code: string, cause: string, more: ErrorDetail = {}): LedgerError {
  return {
    type: "ledger-error",
    code,
    cause,
    origin: "node",
    context: more.context ?? {},
    resources: more.resources ?? [],
    ...(more.explanation === undefined ? {} : { explanation: more.explanation }),
  };
}

/** An invalid request that the node's JSON layer refuses. */
export function jsonLayerError(problem: string): LedgerError {
  return jsonLayerRefusal("INVALID_ARGUMENT", `The submitted request has invalid arguments: ${problem}`);
}

/** A refusal by the node's JSON layer. */
export function jsonLayerRefusal(code: string, cause: string): LedgerError {
  return { type: "ledger-error", code, cause, origin: "json-layer", context: {}, resources: [] };
}

/** An invalid value of a member. The node names the field only in the cause. */
export function invalidField(field: string, problem: string): Refusal {
  return nodeError(
    "INVALID_FIELD",
    `The submitted command has a field with invalid value: Invalid field ${field}: ${problem}`,
  );
}

/** A member that is absent or empty where the node needs it. */
export function missingField(field: string): Refusal {
  return nodeError("MISSING_FIELD", `The submitted command is missing a mandatory field: ${field}`, {
    context: { field_name: field },
  });
}

/** An invalid request. */
export function invalidArgument(problem: string): LedgerError {
  return nodeError("INVALID_ARGUMENT", `The submitted request has invalid arguments: ${problem}`);
}

/** The refusal for any problem with a prepared transaction or its signatures. */
export function notExecuted(problem: string): LedgerError {
  return nodeError("FAILED_TO_EXECUTE_TRANSACTION", `The participant failed to execute the transaction: ${problem}`);
}

export function registryError(status: 400 | 404 | 409, error: string): Refusal {
  return { type: "registry-error", status, error };
}

interface ErrorDetail {
  readonly context?: Readonly<Record<string, string>>;
  readonly resources?: readonly (readonly [type: string, id: string])[];
  readonly explanation?: string;
}
