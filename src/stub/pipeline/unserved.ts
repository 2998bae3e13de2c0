import type { Request } from "../../foundation/http/request.ts";
import { splitTarget } from "../../foundation/http/request-target.ts";
import { type Api, contracts } from "../../foundation/spec/contracts.ts";
import { isRequestTo } from "../../foundation/spec/disabled-part.ts";
import { memberObject } from "../../foundation/spec/operation.ts";
import { isWebSocket, publishedIn } from "../../foundation/spec/published-operations.ts";
import { scanProxyPath } from "../../foundation/spec/scan-proxy.ts";
import { defaultProfileOf, type Spec } from "../../foundation/spec/spec.ts";
import { suggestion } from "../../foundation/text/suggestion.ts";
import type { Unexpected } from "../journal/journal-entry.ts";

/** Why no operation of the stub has this method and path. */
interface Unserved {
  readonly why: Extract<Unexpected, "unsupported" | "unknown-path" | "wrong-method">;
  readonly reason: string;
}

/** Explains a path that no operation has; `allowed` are the methods of the operations that have it. */
export function unserved(spec: Spec, { method, target }: Request, allowed: readonly string[]): Unserved {
  const { path } = splitTarget(target);
  if (method === "GET" && isWebSocket(path, releaseOf(spec, "ledger")))
    return {
      why: "wrong-method",
      reason: `${path} is a WebSocket: open one with the sub-protocol daml.ws.auth, or send the request with POST`,
    };
  const published = publishedOperation(spec, method, path.replace(`${scanProxyPath}/registry/`, "/registry/"));
  if (published !== undefined) return { why: "unsupported", reason: unsupportedReason(spec, published) };
  if (allowed.length > 0)
    return { why: "wrong-method", reason: `wrong method ${method} for ${path}; it has ${allowed.join(", ")}` };
  const near = nearestPath(spec, path);
  const ofVersion1 = path.startsWith("/v1/")
    ? `; the stub serves version 2 of the JSON Ledger API, below /v2${/^\/v1\/(?:create|exercise)/.test(path) ? ": POST /v2/commands/submit-and-wait" : ""}`
    : "";
  const advice = near === undefined ? ofVersion1 : `; did you mean ${near}?`;
  return { why: "unknown-path", reason: `unknown path ${path}${advice}` };
}

function unsupportedReason({ operations }: Spec, published: string): string {
  const [method = "", path = ""] = published.split(" ");
  const isAdditional = memberObject(memberObject(contracts.additionalOperations, "paths"), path)[method.toLowerCase()];
  if (isAdditional !== undefined && operations.every((operation) => !operation.isAdditional))
    return `not served: ${published} is an additional operation, and --spec-only turns those off`;
  return notSupported(published);
}

function notSupported(what: string): string {
  return `not supported by Understudy: ${what} (docs/reference/supported-endpoints.md)`;
}

/** The release of the profile; that of profile `spec` is the default release. */
function releaseOf({ profile }: Spec, api: Api): string {
  return profile[api] === "spec" ? defaultProfileOf(api) : profile[api];
}

/** The operation that the release publishes at this method and path. */
function publishedOperation(spec: Spec, method: string, path: string): string | undefined {
  const apis: readonly Api[] = ["ledger", "registry"];
  return apis
    .flatMap((api) => publishedIn(api, releaseOf(spec, api)))
    .find((published) => isRequestTo(published, `${method} ${path}`));
}

/** A served path with the segments of the requested one in place of its parameters. */
function withParameters(served: string, requested: string): string {
  const given = requested.split("/");
  return served
    .split("/")
    .map((segment, index) => (segment.startsWith("{") ? (given[index] ?? segment) : segment))
    .join("/");
}

/** The served path with a similar name, or with the same end: `/users` is near `/v2/users`. */
function nearestPath({ operations }: Spec, path: string): string | undefined {
  const paths = [...new Set(operations.map((operation) => withParameters(operation.path, path)))];
  return (path.length > 1 ? paths.find((served) => served.endsWith(path)) : undefined) ?? suggestion(path, paths);
}
