import type { Request } from "../../foundation/http/request.ts";
import { isJsonObject, jsonOf } from "../../foundation/json/json.ts";
import { isWrite as mayWrite } from "../../foundation/spec/is-write.ts";
import { routeOf } from "../../foundation/spec/route-of.ts";
import type { Spec } from "../../foundation/spec/spec.ts";
import { pathAndQuery } from "./request-shape.ts";

/** The destination of a recorded request: API, operation (undefined if unknown), and path with query. */
export interface Destination {
  readonly api: "ledger" | "registry" | "control";
  readonly operationId: string | undefined;
  /** Path and query without the prefix of the recorded base URL. */
  readonly target: string;
}

/** The destination of a request; undefined for other servers, such as a token endpoint or a web page. */
export function destinationOf(spec: Spec, request: Request): Destination | undefined {
  const target = pathAndQuery(request.target);
  const route = routeOf(spec, { method: request.method, target });
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

const dryRunnable: ReadonlySet<string> = new Set([
  "postV2Package-vetting",
  "postV2Package-vettingUpdate",
  "postPackage-vettingUpdate",
]);

/** Whether a request may change its target, and is no dry run. */
export function isWrite(request: Request, destination: Destination): boolean {
  const { operationId } = destination;
  if (!mayWrite(request.method, destination)) return false;
  if (operationId === undefined || !dryRunnable.has(operationId)) return true;
  const body = jsonOf(request.body.text());
  return !(isJsonObject(body) && body["dryRun"] === true);
}
