import { expect, test } from "vitest";
import { requestOf } from "../../src/checker/probing/request-of.ts";
import { Body } from "../../src/foundation/http/body.ts";
import type { Json } from "../../src/foundation/json/json.ts";
import { isIdentifier } from "../../src/foundation/spec/identifiers.ts";
import {
  defaultProfileOf,
  impliedRegistryProfile,
  loadSpec,
  profileNamesOf,
  type Spec,
} from "../../src/foundation/spec/spec.ts";
import { loadFaker } from "../../src/scenarios/generation/faker.ts";
import { generateRequests } from "../../src/scenarios/generation/generate-requests.ts";
import { identifierFormats } from "../../src/scenarios/generation/request-meaning.ts";
import { type ProbedStub, probe, probedStub } from "./_probed.ts";

const ledgers = profileNamesOf("ledger");
const fakerFor = await loadFaker();
const fake = fakerFor(identifierFormats("generated"));

/** The spec in a profile, with the schemas of the newest release where the spec is silent. */
function specOf(ledger: string): Spec {
  const registry = impliedRegistryProfile(ledger);
  const isSpec = ledger === "spec";
  const newest = { ledger: defaultProfileOf("ledger"), registry: defaultProfileOf("registry") };
  return loadSpec({ ledger, registry }, { schemasOf: isSpec ? newest : { ledger, registry } });
}

/** All generated requests of a profile, with the stub's statuses. */
async function responded(ledger: string, seeds: readonly number[]) {
  const [spec, stub] = [specOf(ledger), await probedStub({ ledger })];
  const results = [];
  for (const seed of seeds)
    for (const operation of spec.operations) {
      const { valid, invalid } = generateRequests(operation.operationId, { fake, spec, seed, count: 6 });
      const all = [
        ...valid.map((request) => ({ request, fault: undefined })),
        ...invalid.map((request) => ({ request, fault: request.fault })),
      ];
      for (const { request, fault } of all) {
        const sent = requestOf(operation, request, `Bearer ${stub.tokens.administrator}`);
        const response = await stub.handler(sent);
        const status = response.type === "response" ? response.status : 0;
        results.push({ operation, request, fault, status });
      }
    }
  return results;
}

test.each(ledgers)("the stub in %s rejects requests with one error, and responds to all valid ones", async (ledger) => {
  const results = await responded(ledger, [1, 2, 3, 4]);
  const invalid = results.filter(({ fault }) => fault !== undefined);
  expect(invalid.length).toBeGreaterThan(150);
  expect(results.length - invalid.length).toBe(4 * 9 * 6);
  // A node adds defaults for required members, treats a switch that is null as absent, and reads a field mask leniently.
  const accepted = invalid.filter(
    ({ status, fault }) =>
      status !== 400 &&
      fault?.keyword !== "required" &&
      !(ledger !== "spec" && fault?.what === "excludeDebugFields is null") &&
      !(ledger !== "spec" && /^updateMask(\.unknownFields)? is /.test(fault?.what ?? "")),
  );
  expect(accepted.map(({ operation, fault, status }) => [operation.operationId, fault?.what, status])).toEqual([]);
  const failed = results.filter(({ status }) => status === 0 || status >= 500);
  expect(failed).toEqual([]);
  const reached = new Set(results.filter(({ fault }) => fault === undefined).map(({ status }) => status));
  expect([...reached].sort()).toEqual([200, 400, 404]);
});

test("profile spec rejects a request without a required member", async () => {
  const strictSpec = loadSpec({ ledger: "spec", registry: "spec" });
  const results = await responded("spec", [5, 6, 7, 8, 9, 10, 11, 12]);
  const missing = results.filter(({ operation, request, fault }) => {
    const { api, requestSchema = "" } = operation;
    return fault?.keyword === "required" && strictSpec.validate[api](requestSchema, request.body ?? null).length > 0;
  });
  expect(missing.length).toBeGreaterThan(5);
  expect(missing.filter(({ status }) => status !== 400)).toEqual([]);
});

test("generated valid requests match their schema, invalid ones have one error, and every identifier has its syntax", () => {
  const spec = specOf("canton-3.5");
  const schemaOf = (operationId: string) => {
    const found = spec.operations.find((operation) => operation.operationId === operationId);
    return { api: found?.api ?? "ledger", pointer: found?.requestSchema ?? "" };
  };
  for (const { operationId } of spec.operations)
    for (const seed of [1, 2, 3]) {
      const { valid, invalid } = generateRequests(operationId, { fake, spec, seed, count: 5 });
      const { api, pointer } = schemaOf(operationId);
      const flaws = (body: Json | undefined) => (body === undefined ? [] : spec.validate[api](pointer, body));
      expect(valid.flatMap(({ body }) => flaws(body))).toEqual([]);
      for (const { body, fault } of invalid) {
        const found = flaws(body);
        expect(found.length > 0 || fault.pointer === undefined).toBe(true);
        expect(found.every((flaw) => flaw.pointer.startsWith(fault.pointer ?? ""))).toBe(true);
      }
      expect(valid.every(({ path }) => Object.values(path).every((id) => isIdentifier("userId", id)))).toBe(true);
    }
});

test("the same seed generates the same requests, and another seed others", () => {
  const generated = (seed: number) =>
    specOf("canton-3.5").operations.map(({ operationId }) =>
      generateRequests(operationId, { fake, spec: specOf("canton-3.5"), seed, count: 3 }),
    );
  expect(generated(1)).toEqual(generated(1));
  expect(generated(1)).not.toEqual(generated(2));
});

test("refuses to generate requests of an unknown operation", () => {
  expect(() => generateRequests("nothing", { fake, spec: specOf("spec"), seed: 1, count: 1 })).toThrow(RangeError);
});

const generatedProbes = ["generated-valid", "generated-invalid", "lookup-generated"] as const;

test("probes with generated requests find a target that accepts invalid requests", async () => {
  const stub = await probedStub({ ledger: "spec" });
  const lenient: ProbedStub = {
    ...stub,
    handler: async (request) => {
      const response = await stub.handler(request);
      const isRefused =
        response.type === "response" && response.status === 400 && request.target.startsWith("/v2/users/");
      if (!isRefused) return response;
      const headers = [["Content-Type", "application/json"]] as const;
      return { type: "response", status: 200, headers, body: new Body("{}") };
    },
  };
  const { summary } = await probe(lenient, { only: generatedProbes });
  const rules = new Set(summary.violations.filter(({ outcome }) => outcome === "FAIL").map(({ rule }) => rule));
  expect([...rules]).toContain("invalid-request-refused");
  const fine = await probe(stub, { only: generatedProbes });
  expect(fine.summary.violations.filter(({ outcome }) => outcome !== "KNOWN")).toEqual([]);
  expect(fine.reports.map(({ outcome }) => outcome)).toEqual(["run", "run", "run"]);
});
