import { createLogger } from "@stoplight/prism-core";
import { getHttpOperationsFromSpec } from "@stoplight/prism-http";
import { createServer } from "@stoplight/prism-http-server";
import { checkTrace } from "../../src/checker/engine/checker.ts";
import type { Exchange } from "../../src/foundation/http/exchange.ts";
import type { Handler } from "../../src/foundation/http/handler.ts";
import { headerValues, mediaType } from "../../src/foundation/http/header.ts";
import type { Request } from "../../src/foundation/http/request.ts";
import { textResponse } from "../../src/foundation/http/response.ts";
import { isJsonObject, type Json, type JsonObject, jsonOf } from "../../src/foundation/json/json.ts";
import { loadSpec } from "../../src/foundation/spec/spec.ts";
import { sendOverHttp } from "../../src/transport/client/send-over-http.ts";
import { type RunningServer, startServer } from "../../src/transport/server/http-server.ts";
import { onLoopback } from "../_server.ts";

const spec = loadSpec({ ledger: "spec", registry: "spec" });

/** The violations that Prism reports for an exchange. */
export interface SecondOpinion {
  readonly operationId: string;
  readonly exchange: Exchange;
  /** The response of the stub, before Prism forwarded it. */
  readonly original: Exchange["response"];
  /** Classes of violations, such as `request.body type`. */
  readonly ofRequest: readonly string[];
  readonly ofResponse: readonly string[];
}

/** Prism's validation proxy in front of a handler, with the violations so far. */
export interface PrismProxy {
  /** Sends documented operations through Prism, and other requests directly to the handler. */
  readonly handler: Handler;
  readonly opinions: readonly SecondOpinion[];
  /** Requests of documented operations that bypass Prism, because it never responds to them. */
  readonly bypassed: readonly Request[];
  /** Sets the handler behind Prism. */
  serve(handler: Handler): void;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Both descriptions merged, since a proxy takes one. */
function mergedDescription(): JsonObject {
  const { ledger, registry } = spec.descriptions;
  const part = (of: JsonObject, member: string) => (isJsonObject(of[member]) ? of[member] : {});
  const [left, right] = [part(ledger, "components"), part(registry, "components")];
  const components = Object.fromEntries(
    Object.keys({ ...left, ...right }).map((kind) => [kind, { ...part(left, kind), ...part(right, kind) }]),
  );
  return { ...ledger, paths: { ...part(ledger, "paths"), ...part(registry, "paths") }, components };
}

/** Serves a handler on a free loopback port. */
export function listening(handler: Handler): Promise<RunningServer> {
  return startServer({ ...onLoopback, handler, closeGraceMs: 0 });
}

async function startServerOfPrism(upstream: string) {
  const operations = await getHttpOperationsFromSpec({ ...mergedDescription() });
  return createServer(operations, {
    cors: false,
    components: { logger: createLogger("prism", { level: "silent" }) },
    config: {
      mock: { dynamic: false },
      isProxy: true,
      upstream: new URL(upstream),
      upstreamProxy: undefined,
      checkSecurity: true,
      validateRequest: true,
      validateResponse: true,
      errors: false,
    },
  });
}

/** Starts Prism's proxy. */
export async function startPrism(): Promise<PrismProxy> {
  let behind: Handler = async () => textResponse(503, "text/plain", "no handler yet");
  let original: Exchange["response"] | undefined;
  const upstream = await listening(async (request) => {
    original = await behind(request);
    return original;
  });
  const prism = await startServerOfPrism(upstream.url);
  const through = sendOverHttp(await prism.listen(0, "127.0.0.1"));
  const [opinions, bypassed]: [SecondOpinion[], Request[]] = [[], []];
  const handler: Handler = async (request) => {
    const route = spec.route(request.method, request.target.split("?")[0] ?? "");
    if (route.type !== "found") return behind(request);
    if (!isSupported(request)) {
      bypassed.push(request);
      return behind(request);
    }
    const response = await through(request);
    const header = response.type === "response" ? headerValues(response.headers, "sl-violations")[0] : undefined;
    const exchange = { startedAt: "1970-01-01T00:00:00Z", durationMs: 0, request, response };
    if (original === undefined) throw new Error("the stub received no request");
    opinions.push({ operationId: route.operation.operationId, exchange, original, ...violationsIn(header, request) });
    return response;
  };
  return {
    handler,
    opinions,
    bypassed,
    serve(next) {
      behind = next;
    },
    async [Symbol.asyncDispose]() {
      await prism.close();
      await upstream.close();
    },
  };
}

/** Prism hangs on a body that is not JSON, and on a PATCH whose body is null. */
function isSupported({ body }: Request): boolean {
  const json = body.size === 0 ? {} : jsonOf(body.text());
  return json !== undefined && json !== null;
}

function violationsIn(header: string | undefined, request: Request): Pick<SecondOpinion, "ofRequest" | "ofResponse"> {
  const list = header === undefined ? [] : jsonOf(header);
  if (!Array.isArray(list)) throw new Error(`Prism's header is truncated: ${header?.slice(0, 100)}`);
  const classes = list.filter(isJsonObject).map((violation) => classOf(violation, request));
  return {
    ofRequest: classes.filter((name) => name.startsWith("request")),
    ofResponse: classes.filter((name) => name.startsWith("response")),
  };
}

/** The class of a violation: place in the message without member names, code, and a missing Content-Type of the request. */
function classOf({ location, code }: { readonly [member: string]: Json }, { headers }: Request): string {
  const place = Array.isArray(location) ? location.slice(0, 2).map(String).join(".") : "";
  const isUntyped = place === "request.body" && mediaType(headers) === undefined;
  return `${place} ${code === undefined ? "unmatched" : String(code)}${isUntyped ? " without Content-Type" : ""}`;
}

/** Rules that forbid a success response to an invalid request. */
const rulesOfRequests = new Set([
  "invalid-request-refused",
  "malformed-request-refused",
  "parameters-refused",
  "token-required",
]);

/** The rules of our checker that a success response to this request would break. */
export function rulesBrokenBySuccess({ exchange }: SecondOpinion): readonly string[] {
  const response = textResponse(200, "application/json", "{}");
  return failedRules({ ...exchange, response }).filter((rule) => rulesOfRequests.has(rule));
}

/** Whether the stub's response breaks a rule of our checker. */
export function isResponseBroken({ exchange, original }: SecondOpinion): boolean {
  return failedRules({ ...exchange, response: original }).some((rule) => !rulesOfRequests.has(rule));
}

function failedRules(exchange: Exchange): readonly string[] {
  const bearer = headerValues(exchange.request.headers, "authorization").some((value) => /^bearer \S/i.test(value));
  const steps = [{ exchange, context: bearer ? {} : ({ token: "none" } as const) }];
  const { violations } = checkTrace(steps, { spec, level: "spec" }).summary();
  return [...new Set(violations.filter(({ outcome }) => outcome === "FAIL").map(({ rule }) => rule))];
}
