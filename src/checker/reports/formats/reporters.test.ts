import { expect, test } from "vitest";
import { incompleteReport, overflowingReport, sampleReport, secrets } from "../../../../test/acceptance/_report.ts";
import { baselineOf, formatBaseline } from "../baseline.ts";
import type { Report } from "../report.ts";
import { renderHtml } from "./html.ts";
import { renderJson } from "./json.ts";
import { renderJunit } from "./junit.ts";
import { renderMarkdown } from "./markdown.ts";
import { renderSarif } from "./sarif.ts";
import { renderTerminal } from "./terminal.ts";

const reporters: readonly (readonly [string, (report: Report) => string])[] = [
  ["terminal", (report) => renderTerminal(report, true)],
  ["JSON", renderJson],
  ["JUnit", renderJunit],
  ["SARIF", renderSarif],
  ["Markdown", renderMarkdown],
  ["HTML", renderHtml],
  ["baseline", ({ summary }) => formatBaseline(baselineOf(summary, { accepted: [] }))],
];

test.each(reporters)("the format %s contains no token, cookie, signature or key", (_name, render) => {
  const text = render(sampleReport());
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  expect(text).not.toMatch(/4711|eyJ/);
  expect(text.length).toBeGreaterThan(200);
});

test.each(reporters.filter(([name]) => ["terminal", "JUnit", "Markdown", "HTML"].includes(name)))(
  "the format %s never shows an incomplete check as passed",
  (_name, render) => {
    const text = render(incompleteReport());
    expect(text).toMatch(/The check found no violation, and is incomplete: x(?:\.|&#46;)har: it is truncated/);
    expect(text).not.toMatch(/passes\.|>passes<|: passes|✅/);
    const failed = render({ ...sampleReport(), incomplete: ["It was interrupted."] });
    expect(failed).toMatch(/The check fails: .*, and is incomplete: It was interrupted\./);
  },
);

test.each(reporters)("the format %s gives the same bytes for the same exchanges", (_name, render) => {
  expect(render(sampleReport())).toBe(render(sampleReport()));
  expect(render(overflowingReport())).toBe(render(overflowingReport()));
});

test.each(reporters)("the format %s contains no control or format characters of a target", (name, render) => {
  const colour = `${String.fromCodePoint(27)}[`;
  const lines = render(sampleReport()).replaceAll("\n", "");
  const text = name === "terminal" ? lines.replaceAll(colour, "") : lines;
  expect(text).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});

test.each(reporters)("no line of the format %s is a command to a CI system", (name, render) => {
  const text = render(sampleReport());
  expect(text).not.toMatch(/^\s*::/m);
  if (name !== "JSON" && name !== "SARIF") expect(text).not.toMatch(/##\w*\[/);
});
