import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { exchangeOf, overflowingReport, sampleReport } from "../../../test/acceptance/_report.ts";
import { baselineOf, compareBaseline, formatBaseline } from "./baseline.ts";
import { failures, isFailed } from "./report.ts";

const none = { accepted: [] };
const entry = (fingerprint: string, outcome: "FAIL" | "WARN" = "FAIL") => ({ fingerprint, outcome, finding: "then" });

test("accepts exactly the violations it was created from", () => {
  const { summary } = sampleReport();
  const made = baselineOf(summary, none);
  expect(made.accepted.map(({ fingerprint }) => fingerprint)).toEqual(
    summary.violations.map(({ fingerprint }) => fingerprint),
  );
  const accepting = { ...sampleReport(), baseline: compareBaseline("b", made, summary) };
  expect([failures(accepting), isFailed(accepting)]).toEqual([[], false]);
  const [first, ...others] = made.accepted;
  const lacking = { ...sampleReport(), baseline: compareBaseline("b", { accepted: others }, summary) };
  expect(failures(lacking).map(({ fingerprint }) => fingerprint)).toEqual([first?.fingerprint]);
});

test("an accepted warning does not accept a failure; an accepted failure accepts a warning", () => {
  const { summary } = sampleReport();
  const [failed, warned] = [
    "body-schema getV2Users 200 /users/*/id type",
    "body-schema getV2Users 200 /users type",
  ] as const;
  const accepted = (...entries: readonly ReturnType<typeof entry>[]) =>
    compareBaseline("b", { accepted: entries }, summary).accepted;
  expect(accepted(entry(failed, "WARN"))).toEqual([]);
  expect(accepted(entry(failed, "FAIL"))).toEqual([failed]);
  expect(accepted(entry(warned, "FAIL"))).toEqual([warned]);
});

test("an entry is fixed only if its rule was applied again", () => {
  const { summary } = sampleReport([exchangeOf(200, '{"users":[]}')]);
  const baseline = {
    accepted: [
      entry("body-schema getV2Users 200 /a"),
      entry("body-schema getV2Users 404 /a"),
      entry("body-schema getV2Idps 200 /a"),
      entry("gone getV2Users 200 -"),
    ],
  };
  expect(compareBaseline("b", baseline, summary)).toMatchObject({
    fixed: ["body-schema getV2Users 200 /a"],
    unchecked: ["body-schema getV2Idps 200 /a", "body-schema getV2Users 404 /a", "gone getV2Users 200 -"],
  });
  const dropping = compareBaseline("b", baseline, overflowingReport().summary);
  expect([dropping.fixed, dropping.unchecked.length]).toEqual([[], 4]);
});

test("violations beyond the limit always fail the check", () => {
  const report = overflowingReport();
  const baseline = compareBaseline("b", baselineOf(report.summary, none), report.summary);
  expect([failures({ ...report, baseline }), isFailed({ ...report, baseline })]).toEqual([[], true]);
});

test("the file conforms to the published schema, describes findings, and keeps reasons", () => {
  const { summary } = sampleReport();
  const fingerprint = "complete-response getV2Users 0 - reset";
  const before = { accepted: [{ ...entry(fingerprint), reason: "the proxy of the test net" }, entry("gone a 200 -")] };
  const text = formatBaseline(baselineOf(summary, before));
  const schema = JSON.parse(readFileSync(new URL("../../../schemas/baseline.schema.json", import.meta.url), "utf8"));
  const validate = new Ajv2020({ allErrors: true }).compile(schema);
  validate(parse(text));
  expect(validate.errors ?? []).toEqual([]);
  expect(parse(text).accepted).toContainEqual({
    fingerprint,
    outcome: "FAIL",
    finding: "getV2Users incomplete response: expected a complete response, actual the connection was reset",
    reason: "the proxy of the test net",
  });
  expect(text).not.toContain("gone");
});
