import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { validateXML } from "xmllint-wasm";
import { fineReport, incompleteReport, overflowingReport, sampleReport } from "../../../../test/acceptance/_report.ts";
import { renderJunit } from "./junit.ts";

const schema = readFileSync(new URL("../../../../test/schemas/junit.xsd", import.meta.url), "utf8");

async function problemsIn(xml: string): Promise<readonly string[]> {
  const { errors } = await validateXML({
    xml: [{ fileName: "report.xml", contents: xml }],
    schema: [{ fileName: "junit.xsd", contents: schema }],
  });
  return errors.map(({ message }) => message);
}

test.each([
  ["all parts", sampleReport()],
  ["no findings", fineReport()],
  ["dropped violations", overflowingReport()],
  ["a reason for being incomplete", incompleteReport()],
])("a report with %s follows the schema", async (_name, report) => {
  expect(await problemsIn(renderJunit(report))).toEqual([]);
});

test("the schema rejects an invalid report", async () => {
  const xml = renderJunit(fineReport());
  expect(await problemsIn(xml.replace(' errors="0"', ""))).not.toEqual([]);
  expect(await problemsIn(xml.replace("</testsuites>", ""))).not.toEqual([]);
});

/** The case of a rule at a status, with everything in it. */
function caseIn(xml: string, suite: string, name: string): string {
  const [, rest = ""] = xml.split(`<testcase classname="${suite}" name="${name}" `);
  return /^time="[\d.]+">(.*?)<\/testcase>/s.exec(rest)?.[1] ?? "no such case";
}

test("has a case for each operation, status and rule", () => {
  const xml = renderJunit(sampleReport());
  expect(caseIn(xml, "getV2Users", "200 media-type")).toBe("");
  const failed = caseIn(xml, "getV2Users", "200 body-schema");
  expect(failed).toMatch(
    /^<failure message="expected \/users\/0\/id must be string, actual 4712" type="violation">FAIL/,
  );
  expect(failed).toContain("WARN body-schema (1 time)");
  expect(failed).toContain("fingerprint body-schema getV2Users 200 /users/*/id type");
  expect(caseIn(xml, "getV2Users", "incomplete response complete-response")).toContain("the connection was reset");
  expect(caseIn(xml, "getTransferFactory", "500 documented-status")).toBe(
    "<system-out>KNOWN 1 time: a known divergence of the release</system-out>",
  );
});

test("accepted violations and skipped probes do not fail", () => {
  const xml = renderJunit(sampleReport());
  const accepted = caseIn(xml, "getV2Idps", "200 body-schema");
  expect(accepted).toMatch(/^<system-out>FAIL body-schema \(1 time\), accepted by the baseline/);
  expect(caseIn(xml, "probes", "plain-user")).toBe('<skipped message="no token of a plain user is given"/>');
  expect(caseIn(xml, "probes", "no-token")).toBe("<system-out>reached getV2Users 401</system-out>");
  expect(xml).toMatch(
    /^<testsuites name="understudy check" tests="\d+" failures="3" errors="0" skipped="2" time="[\d.]+">$/m,
  );
  expect(caseIn(xml, "check", "all kinds of violation are listed")).toContain("fixed: media-type getV2Users 200 /gone");
});

test("cases have the response time of their exchanges, which the rules of a status share", () => {
  const report = sampleReport();
  const users = { "getV2Users 200": 6000, "getV2Users 400": 500, "getV2Users 0": 0 };
  const probing = report.probing && {
    ...report.probing,
    probes: report.probing.probes.map((probe) => ({ ...probe, responseTimeMs: 250 })),
  };
  const xml = renderJunit({ ...report, probing, summary: { ...report.summary, responseTimesMs: users } });
  const timesOf = (suite: string) =>
    [...xml.matchAll(new RegExp(`classname="${suite}" name="(.*?)" time="(.*?)"`, "g"))].map(([, name = "", time]) => ({
      status: name.split(" ")[0],
      time: Number(time),
    }));
  const sumOf = (status: string) =>
    timesOf("getV2Users").reduce((sum, one) => sum + (one.status === status ? one.time : 0), 0);
  expect(sumOf("200")).toBeCloseTo(6, 4);
  expect(sumOf("400")).toBeCloseTo(0.5, 4);
  expect(xml).toMatch(/<testsuite name="getV2Users" .* time="6\.500000">/);
  expect(timesOf("probes").map(({ time }) => time)).toContain(0.25);
  expect(renderJunit(fineReport())).toMatch(/^<testsuites .* time="0\.001000">$/m);
});

test("an incomplete check is an error in a case of its own", () => {
  const name = "the check is complete";
  expect(caseIn(renderJunit(fineReport()), "check", name)).toBe("");
  const xml = renderJunit(incompleteReport());
  expect(caseIn(xml, "check", name)).toMatch(
    /^<error message="x.har: it is truncated after .*" type="incomplete">x.har: /,
  );
  expect(xml).toMatch(
    /^<testsuites name="understudy check" tests="\d+" failures="0" errors="1" skipped="0" time="[\d.]+">$/m,
  );
});

test("fails a case of its own if violations exceed the limit", () => {
  expect(caseIn(renderJunit(overflowingReport()), "check", "all kinds of violation are listed")).toMatch(
    /^<failure message="The check fails: 1000 kinds of violation, and 3 violations of kinds beyond the limit of 1000/,
  );
});
