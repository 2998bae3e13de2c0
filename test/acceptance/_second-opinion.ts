import { createLogger } from "@stoplight/prism-core";
import { getHttpOperationsFromSpec } from "@stoplight/prism-http";
import { createServer } from "@stoplight/prism-http-server";
import { Checker } from "../../src/checker/engine/checker.ts";
import { Verdict } from "../../src/checker/engine/verdict.ts";
import type { Exchange } from "../../src/foundation/http/exchange.ts";
import type { Handler } from "../../src/foundation/http/handler.ts";
import { headerValues, mediaType } from "../../src/foundation/http/header.ts";
import type { Request } from "../../src/foundation/http/request.ts";
import { textResponse } from "../../src/foundation/http/response.ts";
import { isJsonObject, type Json, type JsonObject, jsonIn, jsonOf } from "../../src/foundation/json/json.ts";
import { loadSpec } from "../../src/foundation/spec/spec.ts";
import { sendOverHttp } from "../../src/transport/client/send-over-http.ts";
import { type RunningServer, startServer } from "../../src/transport/server/http-server.ts";

const spec = loadSpec({ ledger: "spec", registry: "spec" });

/** What Prism says of an exchange. */
export interface SecondOpinion {
  readonly operationId: string;
  readonly exchange: Exchange;
  /** What the stub itself answered, before Prism handed it on. */
  readonly original: Exchange["response"];
  /** By class, such as `request.body type`, of the request or of the response. */
  readonly ofRequest: readonly string[];
  readonly ofResponse: readonly string[];
}

/** Prism's validation proxy before a handler, and what it said so far. */
export interface PrismProxy {
  /** Documented operations go through Prism, whatever else straight to the handler. */
  readonly handler: Handler;
  readonly opinions: readonly SecondOpinion[];
  /** Requests of documented operations that Prism cannot take: it never answers them. */
  readonly untaken: readonly Request[];
  /** What stands behind Prism from now on. */
  serve(handler: Handler): void;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Both descriptions as one, since a proxy takes one. */
function mergedDescription(): JsonObject {
  const { ledger, registry } = spec.descriptions;
  const part = (of: JsonObject, member: string) => (isJsonObject(of[member]) ? of[member] : {});
  const [left, right] = [part(ledger, "components"), part(registry, "components")];
  const components = Object.fromEntries(
    Object.keys({ ...left, ...right }).map((kind) => [kind, { ...part(left, kind), ...part(right, kind) }]),
  );
  return { ...ledger, paths: { ...part(ledger, "paths"), ...part(registry, "paths") }, components };
}

/** A handler on a free port of loopback. */
export function listening(handler: Handler): Promise<RunningServer> {
  return startServer({
    handler,
    host: "127.0.0.1",
    port: 0,
    isCorsAllowed: false,
    closeGraceMs: 0,
    onFault: () => undefined,
  });
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
  let behind: Handler = async () => textResponse(503, "text/plain", "nothing is served yet");
  let original: Exchange["response"] | undefined;
  const upstream = await listening(async (request) => {
    original = await behind(request);
    return original;
  });
  const prism = await startServerOfPrism(upstream.url);
  const through = sendOverHttp(await prism.listen(0, "127.0.0.1"));
  const [opinions, untaken]: [SecondOpinion[], Request[]] = [[], []];
  const handler: Handler = async (request) => {
    const route = spec.route(request.method, request.target.split("?")[0] ?? "");
    if (route.type !== "found") return behind(request);
    if (!isTaken(request)) {
      untaken.push(request);
      return behind(request);
    }
    const response = await through(request);
    const said = response.type === "response" ? headerValues(response.headers, "sl-violations")[0] : undefined;
    const exchange = { startedAt: "1970-01-01T00:00:00Z", durationMs: 0, request, response };
    if (original === undefined) throw new Error("the stub was not asked");
    opinions.push({ operationId: route.operation.operationId, exchange, original, ...violationsIn(said, request) });
    return response;
  };
  return {
    handler,
    opinions,
    untaken,
    serve(next) {
      behind = next;
    },
    async [Symbol.asyncDispose]() {
      await prism.close();
      await upstream.close();
    },
  };
}

/** Prism waits for ever for a body that is no JSON, and for the response to a PATCH whose body is null. */
function isTaken({ body }: Request): boolean {
  const json = body.length === 0 ? {} : jsonIn(body);
  return json !== undefined && json !== null;
}

function violationsIn(header: string | undefined, request: Request): Pick<SecondOpinion, "ofRequest" | "ofResponse"> {
  const list = header === undefined ? [] : jsonOf(header);
  if (!Array.isArray(list)) throw new Error(`Prism's header is cut off: ${header?.slice(0, 100)}`);
  const classes = list.filter(isJsonObject).map((violation) => classOf(violation, request));
  return {
    ofRequest: classes.filter((name) => name.startsWith("request")),
    ofResponse: classes.filter((name) => name.startsWith("response")),
  };
}

/** Where in the message, member names left out, what is broken there, and what a reader has to know of the request. */
function classOf({ location, code }: { readonly [member: string]: Json }, { headers }: Request): string {
  const place = Array.isArray(location) ? location.slice(0, 2).map(String).join(".") : "";
  const isUntyped = place === "request.body" && mediaType(headers) === undefined;
  return `${place} ${code === undefined ? "unmatched" : String(code)}${isUntyped ? " without Content-Type" : ""}`;
}

/** Rules that forbid to respond a wrong request with success. */
const rulesOfRequests = new Set([
  "invalid-request-refused",
  "malformed-request-refused",
  "parameters-refused",
  "token-required",
]);

/** The rules by which our checker would blame a target that responds this request with success. */
export function blamedBy({ exchange }: SecondOpinion): readonly string[] {
  const response = textResponse(200, "application/json", "{}");
  return failedRules({ ...exchange, response }).filter((rule) => rulesOfRequests.has(rule));
}

/** Whether our checker blames the stub for the response that it gave. */
export function responseBlamed({ exchange, original }: SecondOpinion): boolean {
  return failedRules({ ...exchange, response: original }).some((rule) => !rulesOfRequests.has(rule));
}

function failedRules(exchange: Exchange): readonly string[] {
  const verdict = new Verdict(spec);
  const checker = new Checker(
    { spec, level: "spec", areAdditionalOperationsChecked: false, order: "one-by-one", isExclusive: true },
    verdict,
  );
  const bearer = headerValues(exchange.request.headers, "authorization").some((value) => /^bearer \S/i.test(value));
  checker.add(exchange, bearer ? {} : { token: "none" });
  checker.end();
  const { violations } = verdict.summary();
  return [...new Set(violations.filter(({ outcome }) => outcome === "FAIL").map(({ rule }) => rule))];
}
