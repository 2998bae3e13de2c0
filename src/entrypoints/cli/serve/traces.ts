import { setImmediate as nextTurn } from "node:timers/promises";
import type { Attributes, TextMapGetter } from "@opentelemetry/api";
import type { BasicTracerProvider } from "@opentelemetry/sdk-trace-base";
import { type HeaderList, headerValue } from "../../../foundation/http/header.ts";
import { splitTarget } from "../../../foundation/http/request-target.ts";
import type { SpecOperation } from "../../../foundation/spec/operation.ts";
import type { HostedWorld } from "../../../stub/hosting/hosted-world.ts";
import type { Hosting } from "../../../stub/hosting/hosting.ts";
import type { JournalEntry } from "../../../stub/journal/journal-entry.ts";
import { maskOfExchange } from "../../../stub/journal/shown-exchange.ts";
import { UserError } from "../../programs/user-error.ts";
import { version } from "../../programs/version.ts";
import type { Environment, Options } from "../options.ts";
import { NewExchanges } from "./new-exchanges.ts";
import { loadTraceLibraries, type TraceLibraries, tracerProviderOf } from "./tracer-provider.ts";

/** Methods that the semantic conventions name; others are `_OTHER`. */
const knownMethods: ReadonlySet<string> = new Set(
  "CONNECT DELETE GET HEAD OPTIONS PATCH POST PUT QUERY TRACE".split(" "),
);

/**
 * Traces of requests; undefined unless variables of OpenTelemetry name a collector. The libraries are loaded only then. These
 * variables are often set for all programs of a machine, so a problem with them is printed, and the stub serves without traces.
 */
export async function tracesOf(
  options: Options,
  environment: Pick<Environment, "variables" | "printError">,
  load: () => Promise<TraceLibraries> = loadTraceLibraries,
): Promise<Traces | undefined> {
  try {
    return await openTraces(options, environment, load);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    environment.printError(`No traces: ${error.message}`);
    return undefined;
  }
}

async function openTraces(
  options: Options,
  environment: Pick<Environment, "variables" | "printError">,
  load: () => Promise<TraceLibraries>,
): Promise<Traces | undefined> {
  const url = collectorOf(environment.variables);
  if (url === undefined) return undefined;
  const libraries = await load().catch(() => {
    throw new UserError(
      "the libraries of OpenTelemetry are not installed. Install them: npm install @opentelemetry/api @opentelemetry/core @opentelemetry/resources @opentelemetry/sdk-trace-base @opentelemetry/exporter-trace-otlp-http. Or switch traces off: OTEL_TRACES_EXPORTER=none.",
    );
  });
  const scheme = options.text("tls-cert") === undefined ? "http" : "https";
  return new Traces(libraries, tracerProviderOf(libraries, url, environment), scheme);
}

/** Sends a span for each request that a stub has answered, after the response is sent. */
class Traces {
  readonly #libraries: TraceLibraries;
  readonly #propagator: InstanceType<TraceLibraries["W3CTraceContextPropagator"]>;
  readonly #provider: BasicTracerProvider;
  readonly #tracer: ReturnType<BasicTracerProvider["getTracer"]>;
  readonly #scheme: string;
  readonly #exchanges: NewExchanges;
  #routes: ReadonlyMap<string, string> = new Map();

  constructor(libraries: TraceLibraries, provider: BasicTracerProvider, scheme: string) {
    this.#libraries = libraries;
    this.#propagator = new libraries.W3CTraceContextPropagator();
    this.#provider = provider;
    this.#tracer = provider.getTracer("canton-understudy", version());
    this.#scheme = scheme;
    this.#exchanges = new NewExchanges({
      later: setImmediate,
      onExchange: (entry, worldId, world) => this.#addSpan(entry, worldId, world),
    });
  }

  /** Watches the worlds of a hosting. */
  watch(hosting: Hosting): void {
    this.#routes = routesOf(hosting.wholeSpec.operations);
    this.#exchanges.watch(hosting);
  }

  /** Sends the remaining spans. It does not wait long for a collector that does not respond. */
  async close(): Promise<void> {
    // Exchanges of the last responses are read in this turn.
    await nextTurn();
    // The exporter has reported the fault.
    await this.#provider.shutdown().catch(() => undefined);
  }

  #addSpan(entry: JournalEntry, worldId: string, world: HostedWorld["world"]): void {
    const { startedAt, durationMs, request, operationId } = entry;
    const { ROOT_CONTEXT, SpanKind, SpanStatusCode } = this.#libraries;
    const [startMs, route] = [Date.parse(startedAt), this.#routes.get(operationId ?? "")];
    const settings = { kind: SpanKind.SERVER, startTime: new Date(startMs) };
    const parent = this.#propagator.extract(ROOT_CONTEXT, request.headers, fromHeaders);
    const span = this.#tracer.startSpan(nameOf(request.method, route), settings, parent);
    // The sampler does not take the others.
    if (!span.isRecording()) return;
    const error = errorOf(entry);
    span.setAttributes({
      ...httpAttributes(entry, world),
      "http.route": route,
      "url.scheme": this.#scheme,
      "error.type": error,
      "understudy.world": worldId,
      "understudy.operation": operationId,
    });
    if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(new Date(startMs + durationMs));
  }
}

function nameOf(method: string, route: string | undefined): string {
  const name = knownMethods.has(method) ? method : "HTTP";
  return route === undefined ? name : `${name} ${route}`;
}

function httpAttributes(entry: JournalEntry, world: HostedWorld["world"]): Attributes {
  const { method, target } = entry.request;
  const isKnown = knownMethods.has(method);
  return {
    "http.request.method": isKnown ? method : "_OTHER",
    "http.request.method_original": isKnown ? undefined : method,
    "http.response.status_code": entry.response.status,
    "url.path": maskOfExchange(entry, world)(splitTarget(target).path),
  };
}

/** What failed: a status from 500 on, or the kind of a response that was cut off. */
function errorOf({ response }: JournalEntry): string | undefined {
  if (response.type === "broken") return response.kind;
  return response.status >= 500 ? String(response.status) : undefined;
}

const fromHeaders: TextMapGetter<HeaderList> = {
  get: headerValue,
  keys: (headers) => headers.map(([name]) => name),
};

function routesOf(operations: readonly SpecOperation[]): ReadonlyMap<string, string> {
  return new Map(operations.map(({ operationId, path }) => [operationId, path]));
}

/** The URL that takes spans; undefined if no variable names one, and if traces are switched off. */
function collectorOf(variables: Environment["variables"]): string | undefined {
  const isOff =
    variables["OTEL_SDK_DISABLED"]?.toLowerCase() === "true" || variables["OTEL_TRACES_EXPORTER"] === "none";
  const named = ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"].find((each) => variables[each]);
  if (isOff || named === undefined) return undefined;
  const text = variables[named] ?? "";
  if (!/^https?:/.test(text) || !URL.canParse(text))
    throw new UserError(`${named} is not a URL. Use the address of a collector, such as http://localhost:4318.`);
  checkProtocol(variables);
  return named === "OTEL_EXPORTER_OTLP_ENDPOINT" ? `${text.replace(/\/$/, "")}/v1/traces` : text;
}

function checkProtocol(variables: Environment["variables"]): void {
  const names = ["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"];
  const misused = names.find((name) => variables[name] === "grpc");
  if (misused !== undefined)
    throw new UserError(`${misused} grpc: spans are sent by HTTP. Use http/json and the HTTP port of the collector.`);
}
