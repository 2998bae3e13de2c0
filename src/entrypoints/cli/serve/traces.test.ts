import { expect, test } from "vitest";
import { readOptions } from "../options.ts";
import { serve } from "./serve.ts";
import { tracesOf } from "./traces.ts";

const options = readOptions(serve, [], { variables: {}, folder: "/" });
const notInstalled = () => Promise.reject(new Error("Cannot find package '@opentelemetry/api'"));
const printed: string[] = [];
const tracesWith = (variables: Readonly<Record<string, string>>) =>
  tracesOf(options, { variables, printError: (text) => printed.push(text) }, notInstalled);

test.each([
  {},
  { OTEL_EXPORTER_OTLP_ENDPOINT: "" },
  { OTEL_SERVICE_NAME: "sandbox" },
  { OTEL_EXPORTER_OTLP_ENDPOINT: "http://localhost:4318", OTEL_SDK_DISABLED: "TRUE" },
  { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://localhost:4318", OTEL_TRACES_EXPORTER: "none" },
])("loads no library with the variables %o", async (variables) => {
  expect(await tracesWith(variables)).toBeUndefined();
});

test("says how to install the libraries if one is missing, and serves without traces", async () => {
  expect(await tracesWith({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://localhost:4318" })).toBeUndefined();
  expect(printed.join("\n")).toMatch(
    /^No traces: the libraries of OpenTelemetry are not installed. Install them: npm install @opentelemetry\/api /,
  );
});
