import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { serving } from "./_command-line.ts";

const headers = { Authorization: "Bearer any" };

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: number };
}

/** A span as OTLP has it in JSON. */
interface Span {
  readonly traceId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly status: { readonly code: number };
  readonly attributes: readonly Attribute[];
}

interface Batch {
  readonly resource: { readonly attributes: readonly Attribute[] };
  readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
}

/** A collector on a free port, with the path and the batches of each request. */
async function collector(respond: (response: ServerResponse) => void = (response) => response.end("{}")) {
  const received: { readonly path: string | undefined; readonly resourceSpans: readonly Batch[] }[] = [];
  const server = createServer(async (request, response) => {
    const body: ReturnType<typeof JSON.parse> = await json(request);
    received.push({ path: request.url, resourceSpans: body.resourceSpans });
    respond(response);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address: AddressInfo | string | null = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const batches = () => received.flatMap(({ resourceSpans }) => resourceSpans);
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    spans: () => batches().flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    resource: () => batches().map(({ resource }) => valuesOf(resource.attributes)),
  };
}

function valuesOf(attributes: readonly Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]));
}

test("a request with traceparent gives a server span with that parent, and what the stub knows of the request", async () => {
  const { url: endpoint, spans, received, resource } = await collector();
  const { url, end } = await serving([], { variables: { OTEL_EXPORTER_OTLP_ENDPOINT: `${endpoint}/` } });
  const [trace, parent] = ["4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"];
  const sentMs = Date.now();
  await fetch(`${url}/v2/users/alice?token=hidden`, {
    headers: { ...headers, traceparent: `00-${trace}-${parent}-01` },
  });
  expect((await end()).exitCode).toBe(0);
  expect(received.map(({ path }) => path)).toEqual(["/v1/traces"]);
  expect(resource()).toEqual([{ "service.name": "understudy" }]);
  expect(spans()).toEqual([
    expect.objectContaining({ traceId: trace, parentSpanId: parent, name: "GET /v2/users/{user-id}", kind: 2 }),
  ]);
  const [span] = spans();
  expect(valuesOf(span?.attributes ?? [])).toEqual({
    "http.request.method": "GET",
    "http.response.status_code": 200,
    "http.route": "/v2/users/{user-id}",
    "understudy.operation": "getV2UsersUser-id",
    "understudy.world": "default",
    "url.path": "/v2/users/alice",
    "url.scheme": "http",
  });
  expect(span?.status.code).toBe(0);
  const startMs = Number(span?.startTimeUnixNano) / 1e6;
  expect(startMs).toBeGreaterThanOrEqual(sentMs - 1);
  expect(Number(span?.endTimeUnixNano) / 1e6).toBeGreaterThanOrEqual(startMs);
});

test("a refusal by the plan with 503 is an error; a request to a fork without traceparent begins a trace", async () => {
  const { url: endpoint, spans, received, resource } = await collector();
  const { url, end } = await serving([], {
    variables: { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${endpoint}/own/path`, OTEL_SERVICE_NAME: "sandbox" },
  });
  await fetch(`${url}/__understudy/worlds/default/fork`, { method: "POST" });
  const plan = { plan: [{ on: "getV2Users", instead: { status: 503 } }] };
  const body = JSON.stringify(plan);
  const post = { method: "POST", headers: { "Content-Type": "application/json" }, body };
  expect((await fetch(`${url}/__understudy/worlds/fork-1/plan`, post)).ok).toBe(true);
  expect((await fetch(`${url}/w/fork-1/v2/users`, { headers })).status).toBe(503);
  await fetch(`${url}/w/fork-1/unknown`, { headers: { ...headers, traceparent: "00-invalid" } });
  await end();
  expect(received.map(({ path }) => path)).toEqual(["/own/path"]);
  expect(resource()).toEqual([{ "service.name": "sandbox" }]);
  const [refused, unknown] = spans();
  expect(spans().map(({ name, status, parentSpanId }) => [name, status.code, parentSpanId])).toEqual([
    ["GET /v2/users", 2, undefined],
    ["GET", 0, undefined],
  ]);
  const expected = { "understudy.world": "fork-1", "http.response.status_code": 503, "error.type": "503" };
  expect(valuesOf(refused?.attributes ?? [])).toMatchObject(expected);
  expect(valuesOf(unknown?.attributes ?? [])).not.toHaveProperty("error.type");
});

test("a span has no token, not even one that the path repeats", async () => {
  const { url: endpoint, received, spans } = await collector();
  const { url, end } = await serving([], { variables: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } });
  await fetch(`${url}/v2/users/only-for-me-12345`, { headers: { Authorization: "Bearer only-for-me-12345" } });
  await end();
  expect(spans().length).toBe(1);
  expect(JSON.stringify(received)).not.toContain("only-for-me");
});

test("a client that does not sample its trace gets no span", async () => {
  const { url: endpoint, received } = await collector();
  const { url, end } = await serving([], { variables: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } });
  const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00";
  await fetch(`${url}/v2/users`, { headers: { ...headers, traceparent } });
  await end();
  expect(received).toEqual([]);
});

test.each([
  ["OTEL_SDK_DISABLED", "true"],
  ["OTEL_TRACES_EXPORTER", "none"],
])("with %s=%s no span is sent", async (name, value) => {
  const { url: endpoint, received } = await collector();
  const { url, end } = await serving([], { variables: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, [name]: value } });
  await fetch(`${url}/v2/users`, { headers });
  await end();
  expect(received).toEqual([]);
});

test("a collector that does not respond delays no response, and the stop until its time is over", async () => {
  const { url: endpoint, received } = await collector(() => undefined);
  const variables = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_TIMEOUT: "300" };
  const { url, end } = await serving([], { variables });
  expect((await fetch(`${url}/v2/users`, { headers })).status).toBe(200);
  expect((await end()).exitCode).toBe(0);
  expect(received.length).toBe(1);
});

test("spans that a collector refuses are reported without its response", async () => {
  const { url: endpoint } = await collector((response) => response.writeHead(401).end("secret"));
  const { url, end } = await serving([], { variables: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } });
  await fetch(`${url}/v2/users`, { headers });
  expect(await end()).toMatchObject({
    exitCode: 0,
    error: expect.stringContaining(
      `Traces: ${endpoint} does not take spans (Unauthorized). Spans are lost until it does.`,
    ),
  });
});

test.each([
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: "localhost:4318" }, "OTEL_EXPORTER_OTLP_ENDPOINT is not a URL. Use the address"],
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: "http://localhost:4317", OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" },
    "OTEL_EXPORTER_OTLP_PROTOCOL grpc: spans are sent by HTTP.",
  ],
])("serves without traces with %o, and says why", async (variables, message) => {
  const { ready, end } = await serving([], { variables });
  expect(ready).toContain("Understudy serves");
  expect(await end()).toMatchObject({ exitCode: 0, error: expect.stringContaining(`No traces: ${message}`) });
});
