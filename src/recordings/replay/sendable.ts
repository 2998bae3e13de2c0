import type { Request } from "../../foundation/http/request.ts";
import { isJsonObject, jsonOf } from "../../foundation/json/json.ts";
import type { Spec } from "../../foundation/spec/spec.ts";
import { pathAndQuery, routeOf, textOf } from "./request-shape.ts";

/** Where a recorded request belongs: the API, its operation where the spec has one, and its path and query there. */
export interface Destination {
  readonly api: "ledger" | "registry" | "control";
  readonly operationId: string | undefined;
  /** Without what stood before the API's own path where it was recorded. */
  readonly target: string;
}

/** Where a request belongs; undefined where it is none of a participant or a registry, such as one for a token or a page. */
export function destinationOf(spec: Spec, request: Request): Destination | undefined {
  const target = pathAndQuery(request.target);
  const route = routeOf(spec, request.method, target);
  if (route !== undefined) {
    const { api, operationId } = route.operation;
    return { api, operationId, target: target.slice(route.from) };
  }
  if (target.startsWith("/__understudy/")) return { api: "control", operationId: undefined, target };
  const [api, from] = [
    /\/registry\//.test(target) ? "registry" : "ledger",
    target.search(/\/(?:v2|registry)\//),
  ] as const;
  return from < 0 ? undefined : { api, operationId: undefined, target: target.slice(from) };
}

/** Operations that change nothing although they are no GET. */
const reads: ReadonlySet<string> = new Set([
  "postV2Interactive-submissionPrepare",
  "postV2Package-vettingList",
  "postV2PartiesExternalGenerate-topology",
  "postV2StateActive-contracts",
  "postV2UpdatesTransaction-by-id",
  "postV2UpdatesUpdate-by-id",
]);
const dryRunnable: ReadonlySet<string> = new Set(["postV2Package-vetting", "postV2Package-vettingUpdate"]);

/** Whether a request may change its target: anything but reading, looking up in a registry, and dry runs. */
export function isWrite(request: Request, { api, operationId }: Destination): boolean {
  if (request.method === "GET" || request.method === "HEAD") return false;
  if (operationId === undefined) return true;
  if (api === "registry" || reads.has(operationId)) return false;
  if (!dryRunnable.has(operationId)) return true;
  const body = jsonOf(textOf(request));
  return !(isJsonObject(body) && body["dryRun"] === true);
}
