import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import {
  exchangeOf,
  fineReport,
  hostile,
  incompleteReport,
  overflowingReport,
  sampleReport,
} from "../../../../test/acceptance/_report.ts";
import { failures } from "../report.ts";
import { renderJson } from "./json.ts";

const schema = JSON.parse(readFileSync(new URL("../../../../schemas/report.schema.json", import.meta.url), "utf8"));
const validate = new Ajv2020({ allErrors: true }).compile(schema);

test.each([
  ["all parts", sampleReport()],
  ["no findings", fineReport()],
  ["dropped violations", overflowingReport()],
  ["a reason for being incomplete", incompleteReport()],
])("a report with %s follows its published schema", (_name, report) => {
  validate(JSON.parse(renderJson(report)));
  expect(validate.errors ?? []).toEqual([]);
});

test("the schema rejects unknown members", () => {
  const json = JSON.parse(renderJson(sampleReport()));
  expect(validate({ ...json, more: 1 })).toBe(false);
  expect(validate({ ...json, summary: { ...json.summary, more: 1 } })).toBe(false);
});

test("contains the report and the fingerprints of its failures", () => {
  const report = sampleReport();
  const json = JSON.parse(renderJson(report));
  expect(json).toMatchObject(JSON.parse(JSON.stringify(report)));
  expect([json.isFailed, json.failures]).toEqual([true, failures(report).map(({ fingerprint }) => fingerprint)]);
  expect(JSON.parse(renderJson(fineReport()))).toMatchObject({ isFailed: false, isComplete: true, failures: [] });
  expect(JSON.parse(renderJson(incompleteReport()))).toMatchObject({
    isComplete: false,
    incomplete: [expect.stringContaining("it is truncated")],
  });
  expect(JSON.parse(renderJson(overflowingReport()))).toMatchObject({ isFailed: true });
});

test("escapes control and format characters, without loss", () => {
  const odd = `${hostile}\u009b\u{e0001}\ud800`;
  const report = { ...sampleReport([exchangeOf(200, "{}")]), sources: [odd] };
  const text = renderJson(report);
  expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
  expect(JSON.parse(text).sources).toEqual([odd]);
});
