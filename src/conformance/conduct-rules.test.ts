import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { loadSpec } from "../spec/spec.ts";
import { exchangeOf } from "./_example-exchange.ts";
import { conductRules } from "./conduct/index.ts";
import { judgeConduct } from "./conduct-judge.ts";

const spec = loadSpec({ ledger: "document", registry: "document" }, { hasNeighbours: true });
const release = loadSpec({ ledger: "canton-3.5", registry: "splice-0.7" }, { hasNeighbours: true });
const document = readFileSync(new URL("../../../shared/contract.md", import.meta.url), "utf8");

const examples = conductRules.flatMap((rule) =>
  (["kept", "broken"] as const).flatMap((verdict) =>
    rule.examples[verdict].map((example) => ({
      rule,
      verdict,
      name: `${rule.id} is ${verdict} by ${example.name}`,
      exchanges: "exchanges" in example ? example.exchanges : [example],
    })),
  ),
);

test.each(examples)("$name", ({ rule, verdict, exchanges }) => {
  const examplesSpec = rule.examplesIn === undefined ? spec : release;
  const findings = judgeConduct(
    examplesSpec,
    exchanges.map((example) => exchangeOf(examplesSpec, example)),
  ).filter((finding) => finding.rule === rule.id);
  // A broken example ends with the exchange that breaks the rule.
  const found = [...new Set(findings.map(({ severity, exchange }) => `${severity} ${exchange}`))];
  expect(found).toEqual(verdict === "kept" ? [] : [`${rule.severity} ${exchanges.length - 1}`]);
});

test("every conduct rule has both kinds of examples, a sentence for each of its texts, and one of the document", () => {
  for (const { id, summary, why, advice, sentence, section, operations, examples } of conductRules) {
    for (const text of [summary, why, advice]) expect(text, id).toMatch(/^[A-Z`].*\.$/);
    expect(examples.kept.length * examples.broken.length, id).toBeGreaterThan(0);
    expect(document.includes(sentence), `${id}: ${sentence}`).toBe(true);
    expect(sectionOf(sentence), id).toMatch(new RegExp(`^${section}(?:\\.|$)`));
    for (const operationId of operations ?? [])
      expect(
        spec.operations.map((operation) => operation.operationId),
        id,
      ).toContain(operationId);
  }
});

/** The number of the section that the sentence stands in. */
function sectionOf(sentence: string): string {
  const headings = [...document.matchAll(/^#{2,3} (\d+(?:\.\d+)?)\.? /gm)];
  return headings.filter(({ index }) => index < document.indexOf(sentence)).at(-1)?.[1] ?? "";
}
