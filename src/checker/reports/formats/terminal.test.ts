import { expect, test } from "vitest";
import { fineReport, overflowingReport, refusingReport, sampleReport } from "../../../../test/acceptance/_report.ts";
import { renderTerminal } from "./terminal.ts";

test("says what fails first, then what is known, the baseline, the probes, the coverage and the totals", () => {
  const lines = renderTerminal(sampleReport(), false).split("\n");
  const starts = [
    "Checked against canton-3.5, as told; registry splice-0.7, level release.",
    "FAIL body-schema: getV2Users 200, GET /v2/users (4 times)",
    "FAIL invalid-request-refused: postV2UsersUser-idRights 200",
    "WARN body-schema: getV2Users 200",
    "KNOWN DIV-001 refusals of the node are JSON (1 time)",
    "Accepted by the baseline: body-schema getV2Idps 200 /identityProviderConfigs type",
    "Fixed since the baseline: media-type getV2Users 200 /gone",
    "Accepted before, and nothing looked whether it is still so: complete-response getV2Idps-Idp-id 0 -",
    "Probes: 2 ran with 17 requests, 2 not run.",
    "  not run, no token of a plain user is given: plain-user",
    "Created at the target and still there: user understudy-probe-1",
    "Known divergences that nothing met: ",
    "Operations never seen: ",
    "Statuses never seen: ",
    "Rules that had nothing to look at: ",
    "Rules that could not always tell (a report says why): body-schema 1 time",
    "Beyond what is remembered: media-type forgot 2 values; 1 exchange came too late to be put in order; 3 exchanges without a usable time; 4 exchanges of targets beyond the limit",
    "The check fails: 3 new kinds of violation; 1 kind of violation accepted by accepted.yaml (2 probes ran, 2 did not).",
    "12 exchanges: 1 passed, 7 failed, 2 known, 1 warned, 1 outside the spec, 1 broken.",
  ];
  const places = starts.map((start) => lines.findIndex((line) => line.startsWith(start)));
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((left, right) => left - right));
  expect(places.at(-1)).toBe(lines.length - 1);
  expect(lines.filter((line) => line.includes("getV2Idps 200") && line.startsWith("FAIL"))).toEqual([]);
});

test("shows warnings of one cause as one, with everything that they were at", () => {
  const shown = renderTerminal(refusingReport(), false);
  expect(shown.match(/^WARN .*/gm)).toEqual(["WARN refused-tokens-are-401: alike at 2 operations (3 times)"]);
  expect(shown).toContain("\n  of        getV2Idps 403, GET /v2/idps\n  of        getV2Users 403, GET /v2/users\n");
});

test("shows the beginning of a list, and how many more there are", () => {
  const shown = renderTerminal(fineReport(), false);
  expect(shown).toMatch(/^Rules that had nothing to look at: \d+ \(--report FILE\.html lists them\)$/m);
  expect(shown).toMatch(
    /^Operations never seen: \S+ \(POST \/v2\/interactive-submission\/executeAndWait\); .*; and 3 more \(--report FILE\.html lists all\)$/m,
  );
  expect(shown).toMatch(/^Statuses never seen: getV2Users \(GET \/v2\/users\) 400$/m);
  expect(Math.max(...shown.split("\n").map(({ length }) => length))).toBeLessThan(500);
});

test("leaves out lines that have nothing to say, and has colours only where told", () => {
  const fine = renderTerminal(fineReport(), false);
  expect(fine).not.toMatch(/FAIL|KNOWN|Accepted|Fixed|Probes|Created|could not|Beyond/);
  expect(fine).toContain("\nThe check passes.\n");
  expect(renderTerminal(sampleReport(), false)).not.toContain("\u001b");
  expect(renderTerminal(sampleReport(), true)).toContain("\u001b[31mFAIL\u001b[39m body-schema");
});

test("shows fifty kinds of violation and says how many more there are", () => {
  const shown = renderTerminal(overflowingReport(), false);
  expect(shown.match(/^(?:FAIL|WARN) /gm)).toHaveLength(50);
  expect(shown).toContain(
    "\n… and 950 further kinds of violation: --report FILE.html shows them.\n… and 3 further violations.\n",
  );
});
