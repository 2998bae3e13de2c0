import { expect, test } from "vitest";
import type { Exchange } from "../http/exchange.ts";
import { loadSpec } from "../spec/spec.ts";
import { exchangeOf } from "./_example-exchange.ts";
import { BatchWriter, batchReader } from "./examined-batch.ts";
import { Examiner } from "./examiner.ts";
import { Judge, type JudgeSettings } from "./judge.ts";
import type { RuleExample } from "./rule.ts";
import { rules } from "./rules/index.ts";
import { lookup, lookupAnswer, lookupRequest } from "./sample-bodies.ts";
import { bytesOf, recordedSpan } from "./turns.ts";
import { Verdict } from "./verdict.ts";
import { createMeasure } from "./verdict-on.ts";

const spec = loadSpec({ ledger: "canton-3.5", registry: "splice-0.7" }, { hasNeighbours: true });
const settings: JudgeSettings = { spec, level: "document", areNeighboursJudged: true, order: "by-time", isAlone: true };

/** Each a little after the one before. */
function exchangesOf(examples: readonly Omit<RuleExample, "name">[]): readonly Exchange[] {
  return examples.map((example, index) => {
    const startedAt = new Date(Date.parse("2026-01-01T00:00:00Z") + index * 10).toISOString();
    return { ...exchangeOf(spec, example), startedAt };
  });
}

function judgedHere(exchanges: readonly Exchange[]): Verdict {
  const verdict = new Verdict(spec);
  const judge = new Judge(settings, verdict);
  for (const exchange of exchanges) judge.addRecorded(exchange);
  judge.end();
  return verdict;
}

/** As another thread would send them. Only the bodies of what broke a rule are asked for again. */
function judgedElsewhere(exchanges: readonly Exchange[]): {
  readonly verdict: Verdict;
  readonly recalled: Set<number>;
} {
  const examiner = new Examiner(settings, createMeasure(settings));
  const writer = new BatchWriter();
  for (const [at, exchange] of exchanges.entries()) {
    const span = recordedSpan(exchange);
    const place = { at, entryBytes: 1, span, bodyBytes: bytesOf(exchange) };
    writer.add(place, examiner.examineRecorded(exchange, span));
  }
  const [verdict, recalled] = [new Verdict(spec), new Set<number>()];
  const judge = new Judge(settings, verdict);
  const read = batchReader(spec, (at) => {
    recalled.add(at);
    const exchange = exchanges[at];
    if (exchange === undefined) throw new Error("no such place");
    return exchange;
  });
  for (const { span, bodyBytes, examined } of read(structuredClone(writer.batch())))
    judge.addExamined(span, bodyBytes, examined);
  judge.end();
  return { verdict, recalled };
}

const examples = rules.flatMap(({ id, type, examples: { kept, broken } }) =>
  [...kept, ...broken].map((example) => ({
    title: `${id}: ${example.name}`,
    exchanges: type === "trace" && "exchanges" in example ? example.exchanges : "target" in example ? [example] : [],
  })),
);

test.each(examples)("what another thread examines is judged as here, for $title", ({ exchanges: given }) => {
  const exchanges = exchangesOf(given);
  expect(exchanges.length).toBeGreaterThan(0);
  expect(judgedElsewhere(exchanges).verdict.summary()).toEqual(judgedHere(exchanges).summary());
});

test("findings that differ in their place alone are told apart", () => {
  const { choiceContext, ...rest } = JSON.parse(lookupAnswer());
  const answers = [
    { ...rest, choiceContext, debugX: "1" },
    { ...rest, choiceContext: { ...choiceContext, debugX: "1" } },
  ];
  const requestBody = { ...lookupRequest, excludeDebugFields: true };
  const exchanges = exchangesOf(answers.map((answer) => ({ ...lookup, requestBody, body: JSON.stringify(answer) })));
  const { violations } = judgedElsewhere(exchanges).verdict.summary();
  expect(violations).toEqual(judgedHere(exchanges).summary().violations);
  expect(violations.filter(({ rule }) => rule === "debug-members-excluded").length).toBe(2);
});

test("what all examples of all rules come to, one after the other, is the same to the letter", () => {
  const exchanges = exchangesOf(examples.flatMap(({ exchanges: some }) => some));
  const { verdict, recalled } = judgedElsewhere(exchanges);
  const [came, expected] = [verdict.summary(), judgedHere(exchanges).summary()];
  expect(JSON.stringify(came)).toBe(JSON.stringify(expected));
  expect(expected.violations.length).toBeGreaterThan(50);
  expect(recalled.size).toBeLessThan(exchanges.length / 2);
});
