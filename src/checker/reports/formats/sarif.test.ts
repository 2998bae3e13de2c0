import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import addFormatsModule from "ajv-formats";
import { expect, test } from "vitest";
import { fineReport, incompleteReport, overflowingReport, sampleReport } from "../../../../test/acceptance/_report.ts";
import { docsUrl } from "../docs-links.ts";
import type { Report } from "../report.ts";
import { renderSarif } from "./sarif.ts";

const file = new URL("../../../../test/schemas/sarif-2.1.0-rtm.5.json", import.meta.url);
// The schema uses draft 4. The validator supports all of it except `$schema` and `id`.
const { $schema: _draft, id: _id, ...schema } = JSON.parse(readFileSync(file, "utf8"));
const ajv = new Ajv({ allErrors: true, strict: false, unicodeRegExp: false });
addFormatsModule.default(ajv);
const validate = ajv.compile(schema);

test.each([
  ["all parts", sampleReport()],
  ["no findings", fineReport()],
  ["dropped violations", overflowingReport()],
  ["a reason for being incomplete", incompleteReport()],
  ["a live target", { ...fineReport(), sources: ["http://node.example", "https://registry.example"] }],
])("a report with %s follows the schema of SARIF 2.1.0", (_name, report) => {
  validate(JSON.parse(renderSarif(report)));
  expect(validate.errors ?? []).toEqual([]);
});

test("the schema rejects invalid SARIF", () => {
  const log = JSON.parse(renderSarif(sampleReport()));
  expect(validate({ ...log, version: "2.0.0" })).toBe(false);
  log.runs[0].results[0].level = "fatal";
  expect(validate(log)).toBe(false);
});

const runOf = (report: Report) => JSON.parse(renderSarif(report)).runs[0];

test("has a result for each violation and each known divergence, with its rule and fingerprint", () => {
  const { tool, results } = runOf(sampleReport());
  expect(results.map(({ level, ruleId }: { level: string; ruleId: string }) => `${level} ${ruleId}`)).toEqual([
    "error body-schema",
    "error complete-response",
    "error malformed-request-refused",
    "warning body-schema",
    "warning known-members",
    "warning known-members",
    "error body-schema",
    ...["DIV-001", "DIV-002", "DIV-004", "DIV-005", "DIV-109"].map((id) => `note ${id}`),
  ]);
  expect(results[0]).toMatchObject({
    occurrenceCount: 4,
    partialFingerprints: { "understudyViolation/v1": "body-schema getV2Users 200 /users/*/id type" },
    webRequest: { method: "GET", target: "http://node.example/v2/users" },
    webResponse: { statusCode: 200 },
  });
  expect(tool.driver.rules[results[0].ruleIndex]).toMatchObject({
    id: "body-schema",
    help: { text: expect.stringContaining("spec §4.") },
    helpUri: `${docsUrl}/reference/rules.md#body-schema`,
  });
  const described = tool.driver.rules.map(({ id }: { id: string }) => id);
  expect(results.filter(({ ruleId }: { ruleId: string }) => !described.includes(ruleId))).toEqual([]);
});

test("only violations that the baseline accepts are suppressed", () => {
  const { results } = runOf(sampleReport());
  const suppressed = results.filter((result: object) => "suppressions" in result);
  expect(suppressed).toHaveLength(1);
  expect(suppressed[0]).toMatchObject({
    suppressions: [{ kind: "external", justification: "accepted by accepted.yaml" }],
  });
  expect(runOf(fineReport()).results).toEqual([]);
});

test("locations name the operation, and the first recording", () => {
  const { artifacts, results } = runOf(sampleReport());
  expect(artifacts).toEqual([{ location: { uri: "traffic%20of%20monday.har" } }]);
  expect(results[0].locations).toEqual([
    {
      physicalLocation: {
        artifactLocation: { uri: "traffic%20of%20monday.har" },
        region: { startLine: 1 },
      },
      logicalLocations: [{ name: "getV2Users", fullyQualifiedName: "getV2Users 200 /users/0/id", kind: "function" }],
    },
  ]);
  const several = runOf({ ...sampleReport(), sources: ["/tmp/a.har", "C:\\b#.har", "http://node.example"] });
  expect(several.artifacts.map(({ location }: { location: { uri: string } }) => location.uri)).toEqual([
    "file:///tmp/a.har",
    "file:///C:/b%23.har",
  ]);
  const uris = several.results.map(urisOf);
  expect(new Set(uris.flat())).toEqual(new Set(["file:///tmp/a.har"]));
});

interface Located {
  readonly locations: readonly {
    readonly physicalLocation: { readonly artifactLocation: { readonly uri: string } };
  }[];
}

const urisOf = ({ locations }: Located) => locations.map((location) => location.physicalLocation.artifactLocation.uri);

test("results of a live target are located in the file that describes it, else in the baseline, else at a path", () => {
  const sources = ["http://node.example:7575", "https://registry.example/api"];
  const live = { ...sampleReport(), sources };
  const place = { file: "understudy.config.yaml", line: 7 };
  const [first] = runOf({ ...live, place }).results;
  expect(first.locations[0].physicalLocation).toEqual({
    artifactLocation: { uri: "understudy.config.yaml" },
    region: { startLine: 7 },
  });
  expect(new Set(runOf(live).results.flatMap(urisOf))).toEqual(new Set(["accepted.yaml"]));
  const { results } = runOf({ ...live, baseline: undefined });
  expect(results).toHaveLength(12);
  expect(new Set(results.flatMap(urisOf))).toEqual(
    new Set(["v2/idps", "v2/users", "v2/users/%7Buser-id%7D/rights", "node.example_7575"]),
  );
});

test.each([
  ["a recording", sampleReport()],
  ["a live target", { ...sampleReport(), baseline: undefined, sources: ["http://node.example"] }],
])("a report on %s has what code scanning of GitHub needs", (_, report) => {
  const { tool, results } = runOf(report);
  const { rules } = tool.driver;
  for (const { helpUri } of rules) expect(URL.canParse(helpUri), helpUri).toBe(true);
  for (const { ruleId, ruleIndex, message, locations } of results) {
    expect(rules[ruleIndex].id).toBe(ruleId);
    expect(message.text).not.toBe("");
    expect(locations).toHaveLength(1);
    const { artifactLocation, region } = locations[0].physicalLocation;
    expect(artifactLocation.uri).not.toMatch(/^(?:[a-z]+:|\/)/);
    expect(region.startLine).toBeGreaterThan(0);
  }
  const hashes = results.map((result: Fingerprinted) => result.partialFingerprints.primaryLocationLineHash);
  expect(new Set(hashes).size).toBe(results.length);
  for (const hash of hashes) expect(hash).toMatch(/^[0-9a-f]{16}:1$/);
});

interface Fingerprinted {
  readonly partialFingerprints: { readonly primaryLocationLineHash: string };
}

test("the invocation of an incomplete check is unsuccessful, with the reason", () => {
  expect(runOf(fineReport()).invocations).toMatchObject([{ executionSuccessful: true, exitCode: 0 }]);
  const [invocation] = runOf(incompleteReport()).invocations;
  expect(invocation).toMatchObject({ executionSuccessful: false });
  expect(invocation).not.toHaveProperty("exitCode");
  expect(invocation.toolExecutionNotifications).toContainEqual({
    level: "error",
    message: { text: expect.stringMatching(/^The check is incomplete: x\.har: it is truncated/) },
  });
});

test("notes skipped probes and violations beyond the limit", () => {
  const texts = (report: Report) =>
    runOf(report).invocations[0].toolExecutionNotifications.map(
      ({ level, message }: { level: string; message: { text: string } }) => `${level} ${message.text}`,
    );
  expect(texts(sampleReport())).toContain("note Probe plain-user skipped: no token of a plain user is given");
  expect(texts(overflowingReport())).toContainEqual(
    expect.stringMatching(/^error .* 3 violations of kinds beyond the limit of 1000/),
  );
});
