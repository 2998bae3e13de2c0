import type { SpanExporter } from "@opentelemetry/sdk-trace-base";
import { printable } from "../../../foundation/text/printable.ts";
import { shortened } from "../../../foundation/text/shortened.ts";
import type { Environment } from "../options.ts";

/** Time that a collector has for a batch of spans, and so the time that a stop waits for it. */
const collectorMsMax = 2000;
/** Characters of an attribute of a span. */
const textLengthMax = 1000;

type Api = typeof import("@opentelemetry/api");
type Core = typeof import("@opentelemetry/core");
type Resources = typeof import("@opentelemetry/resources");
type Sdk = typeof import("@opentelemetry/sdk-trace-base");
type Exporter = typeof import("@opentelemetry/exporter-trace-otlp-http");

/** What traces use of OpenTelemetry, whose libraries are optional peer dependencies. */
export interface TraceLibraries
  extends Pick<Api, "ROOT_CONTEXT" | "SpanKind" | "SpanStatusCode">,
    Pick<Core, "ExportResultCode" | "W3CTraceContextPropagator">,
    Pick<Resources, "detectResources" | "envDetector" | "resourceFromAttributes">,
    Pick<Sdk, "BasicTracerProvider" | "BatchSpanProcessor">,
    Pick<Exporter, "OTLPTraceExporter"> {}

/** Imports the libraries of OpenTelemetry. Rejects if one is not installed. */
export async function loadTraceLibraries(): Promise<TraceLibraries> {
  const [api, core, resources, sdk, exporter] = await Promise.all([
    import("@opentelemetry/api"),
    import("@opentelemetry/core"),
    import("@opentelemetry/resources"),
    import("@opentelemetry/sdk-trace-base"),
    import("@opentelemetry/exporter-trace-otlp-http"),
  ]);
  return { ...api, ...core, ...resources, ...sdk, ...exporter };
}

/**
 * Collects spans in batches; spans beyond the bound of the queue are dropped. The libraries read further variables from the
 * process: headers, certificates, sampler, bounds of the queue, attributes of the resource.
 */
export function tracerProviderOf(
  libraries: TraceLibraries,
  url: string,
  { variables, printError }: Pick<Environment, "variables" | "printError">,
): InstanceType<TraceLibraries["BasicTracerProvider"]> {
  const { BasicTracerProvider, BatchSpanProcessor, ExportResultCode, OTLPTraceExporter } = libraries;
  const { detectResources, envDetector, resourceFromAttributes } = libraries;
  const timeoutMillis = timeoutMsOf(variables["OTEL_EXPORTER_OTLP_TIMEOUT"]);
  // Node's own proxy of an agent, which Node 22.21 and 24.5 introduced; earlier ones ignore it.
  const exporter = new OTLPTraceExporter({
    url,
    timeoutMillis,
    httpAgentOptions: { keepAlive: true, proxyEnv: variables },
  });
  const reporting = reportFaults(exporter, ExportResultCode.SUCCESS, (reason) =>
    printError(`Traces: ${new URL(url).origin} does not take spans (${reason}). Spans are lost until it does.`),
  );
  const named = resourceFromAttributes({ "service.name": variables["OTEL_SERVICE_NAME"] || "understudy" });
  return new BasicTracerProvider({
    resource: named.merge(detectResources({ detectors: [envDetector] })),
    spanLimits: { attributeValueLengthLimit: textLengthMax },
    spanProcessors: [new BatchSpanProcessor(reporting, { exportTimeoutMillis: timeoutMillis })],
  });
}

function timeoutMsOf(text: string | undefined): number {
  const timeoutMs = Number(text);
  return timeoutMs > 0 ? Math.min(timeoutMs, collectorMsMax) : collectorMsMax;
}

/** Reports the first fault, and the next one after a success. A shutdown does not wait for batches that are on their way. */
function reportFaults(exporter: SpanExporter, success: number, report: (reason: string) => void): SpanExporter {
  let isFailing = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const hasFailed = result.code !== success;
        if (hasFailed && !isFailing) report(shortened(printable(result.error?.message || "no reason")));
        isFailing = hasFailed;
        done(result);
      }),
    shutdown: async () => undefined,
  };
}
