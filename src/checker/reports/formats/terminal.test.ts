import { expect, test } from "vitest";
import { fineReport, overflowingReport, refusingReport, sampleReport } from "../../../../test/acceptance/_report.ts";
import { renderTerminal } from "./terminal.ts";

test("lists failures first, then known divergences, baseline, probes, coverage and totals", () => {
  const lines = renderTerminal(sampleReport(), false).split("\n");
  const starts = [
    "Checked against canton-3.5 (set by --profile), registry splice-0.7.",
    "FAIL body-schema: getV2Users 200, GET /v2/users (4 times)",
    "FAIL malformed-request-refused: postV2UsersUser-idRights 200",
    "WARN body-schema: getV2Users 200",
    "KNOWN DIV-001 error responses of the node are JSON (1 time)",
    "Accepted by the baseline: body-schema getV2Idps 200 /identityProviderConfigs type",
    "Fixed since the baseline: media-type getV2Users 200 /gone",
    "In the baseline, but not checked: complete-response getV2Idps-Idp-id 0 -",
    "Probes: 2 run, 2 skipped.",
    "Requests of the probes: 17.",
    "  skipped, no token of a plain user is given: plain-user",
    "Created at the target and not removed: user understudy-probe-1",
    "Drift: the OpenAPI description of the ledger differs from canton-3.5 in 2 places.",
    "  GET /v2/users: additional response member users/*/",
    "Known divergences not observed: ",
    "Operations not observed: ",
    "Statuses not observed: ",
    "Rules not exercised: ",
    "Inconclusive rules: body-schema 1 time",
    "Limits of the trace rules: media-type: 2 values evicted; memory of the trace rules cleared 1 time: an exchange arrived too late, or too many were open; 3 exchanges without a usable time, so their order is unknown; 4 exchanges of targets beyond the limit",
    "The check fails: 3 new kinds of violation; 1 kind of violation accepted by accepted.yaml.",
    "12 exchanges: 1 passed, 2 with known divergences only, 1 warning, 7 failed (1 incomplete response), 1 unsupported.",
  ];
  const places = starts.map((start) => lines.findIndex((line) => line.startsWith(start)));
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((left, right) => left - right));
  expect(places.at(-1)).toBe(lines.length - 1);
  expect(lines.filter((line) => line.includes("getV2Idps 200") && line.startsWith("FAIL"))).toEqual([]);
});

test("the last line says how many kinds of known divergence break the spec, and which flag fails on them", () => {
  const report = sampleReport();
  const one = report.summary.knownDivergences.slice(0, 1);
  const lastLine = (isStrict: boolean, knownDivergences = one) =>
    renderTerminal({ ...report, isStrict, summary: { ...report.summary, knownDivergences } }, false)
      .split("\n")
      .at(-1);
  expect(lastLine(false)).toMatch(
    /1 unsupported\. 1 kind of known divergence breaks the spec: --strict fails on it\.$/,
  );
  expect(lastLine(false, [...one, ...one])).toMatch(
    / 2 kinds of known divergence break the spec: --strict fails on them\.$/,
  );
  expect([lastLine(true), lastLine(false, [])]).toEqual(new Array(2).fill(expect.stringMatching(/1 unsupported\.$/)));
});

test("shows equal warnings as one, with all their places", () => {
  const shown = renderTerminal(refusingReport(), false);
  expect(shown.match(/^WARN .*/gm)).toEqual(["WARN refused-tokens-are-401: same finding in 2 operations (3 times)"]);
  expect(shown).toContain("\n  in        getV2Idps 403, GET /v2/idps\n  in        getV2Users 403, GET /v2/users\n");
});

test("shows the first members of a list and the number of the others", () => {
  const shown = renderTerminal(fineReport(), false);
  expect(shown).toMatch(/^Rules not exercised: \d+ \(--report FILE\.html lists them\)$/m);
  expect(shown).toMatch(
    /^Operations not observed: \S+ \(POST \/v2\/interactive-submission\/executeAndWait\); .*; and 3 more \(--report FILE\.html lists all\)$/m,
  );
  expect(shown).toMatch(/^Statuses not observed: getV2Users \(GET \/v2\/users\) 400$/m);
  expect(Math.max(...shown.split("\n").map(({ length }) => length))).toBeLessThan(500);
});

test("omits empty sections, and uses colours only on request", () => {
  const fine = renderTerminal(fineReport(), false);
  expect(fine).not.toMatch(/FAIL|KNOWN|Accepted|Fixed|Probes|Created|Inconclusive|limits reached/);
  expect(fine).toContain("\nThe check passes.\n");
  expect(renderTerminal(sampleReport(), false)).not.toContain("\u001b");
  expect(renderTerminal(sampleReport(), true)).toContain("\u001b[31mFAIL\u001b[39m body-schema");
});

test("shows fifty kinds of violation and the number of the others", () => {
  const shown = renderTerminal(overflowingReport(), false);
  expect(shown.match(/^(?:FAIL|WARN) /gm)).toHaveLength(50);
  expect(shown).toContain(
    "\n… and 950 further kinds of violation: --report FILE.html shows them.\n… and 3 further violations.\n",
  );
});

test("one problem of the target is one finding with its places and one command that repeats it", () => {
  const report = sampleReport();
  const failed = report.summary.violations.find(({ outcome }) => outcome === "FAIL");
  if (failed === undefined) throw new Error("no failure");
  const same = [failed, { ...failed, operationId: "getV2Users", fingerprint: "other" }];
  const shown = renderTerminal(
    { ...report, baseline: undefined, summary: { ...report.summary, violations: same } },
    false,
  );
  expect(shown).toContain(`FAIL ${failed.rule}: same finding in 2 operations`);
  expect(shown.match(/^ {2}in /gm)).toHaveLength(2);
  expect(shown.match(/^ {2}repeat /gm)).toHaveLength(1);
});
