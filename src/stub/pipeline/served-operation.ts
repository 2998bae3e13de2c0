import type { SpecOperation } from "../../foundation/spec/operation.ts";
import type { Shape } from "../../foundation/spec/shape.ts";
import type { Spec } from "../../foundation/spec/spec.ts";
import { memoize } from "../../foundation/text/memoize.ts";
import { operations } from "../../simulator/operations/index.ts";
import type { Operation } from "../../simulator/operations/operation.ts";
import { type DecodedQuery, decodeQuery } from "./decode.ts";

/** What all requests of an operation have in common. */
export interface ServedOperation {
  readonly performer: Operation;
  /** Decodes the query of a request target; a repeated one once. */
  readonly queryOf: (search: string, target: string) => DecodedQuery;
  /** The shape of a successful response, whose null members are omitted; undefined if they are sent. */
  readonly shownShape: Shape | undefined;
}

/** Characters of a target whose query is remembered. A query is a part of its target, which it keeps in memory. */
const rememberedTargetMax = 1000;

const performers: ReadonlyMap<string, Operation> = new Map(
  operations.flatMap((operation) =>
    [operation.operationId, ...(operation.aliases ?? [])].map((id) => [id, operation] as const),
  ),
);

/** Gives the operations of a spec as they are served. Each is made at its first request. */
export function servedOperations(spec: Spec): (operation: SpecOperation) => ServedOperation {
  const served = new Map<string, ServedOperation>();
  return (operation) => {
    const known = served.get(operation.operationId);
    if (known !== undefined) return known;
    const made = servedOperation(spec, operation);
    served.set(operation.operationId, made);
    return made;
  };
}

function servedOperation(spec: Spec, operation: SpecOperation): ServedOperation {
  const performer = performers.get(operation.operationId);
  if (performer === undefined) throw new Error(`invariant: no operation implements ${operation.operationId}`);
  const readQuery = memoize((search) => decodeQuery(operation, search));
  const schema = operation.responses["200"]?.schema;
  const omitsNulls = spec.profile[operation.api] === "spec" && schema !== undefined;
  return {
    performer,
    queryOf: (search, target) =>
      target.length > rememberedTargetMax ? decodeQuery(operation, search) : readQuery(search),
    shownShape: omitsNulls ? spec.shapes[operation.api].shapeAt(schema) : undefined,
  };
}
