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
    }
  | { readonly type: "registry-error"; readonly status: 400 | 404 | 409; readonly error: string };

/** A refusal by the node itself. */
export function nodeError(code: string, cause: string, more: ErrorDetail = {}): Refusal {
  return {
    type: "ledger-error",
    code,
    cause,
    origin: "node",
    context: more.context ?? {},
    resources: more.resources ?? [],
  };
}

/** A refusal by the node's JSON layer. */
export function jsonLayerError(code: string, cause: string): Refusal {
  return { type: "ledger-error", code, cause, origin: "json-layer", context: {}, resources: [] };
}

export function registryError(status: 400 | 404 | 409, error: string): Refusal {
  return { type: "registry-error", status, error };
}

interface ErrorDetail {
  readonly context?: Readonly<Record<string, string>>;
  readonly resources?: readonly (readonly [type: string, id: string])[];
}
