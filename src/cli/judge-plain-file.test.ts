import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { JudgeSettings } from "../conformance/judge.ts";
import { Verdict } from "../conformance/verdict.ts";
import { loadSpec } from "../spec/spec.ts";
import { ExaminingThreads, ThreadEnded } from "./examining-threads.ts";
import { judgePlainFile } from "./judge-plain-file.ts";

const spec = loadSpec({ ledger: "canton-3.5", registry: "splice-0.7" }, { hasNeighbours: true });
const settings: JudgeSettings = {
  spec,
  level: "release",
  areNeighboursJudged: false,
  order: "by-time",
  isAlone: false,
};
const { profile } = spec;

/** An entry of about so many bytes. */
function entryOf(bytes: number): string {
  const text = JSON.stringify({ users: [], nextPageToken: "x".repeat(bytes) });
  const request = { method: "GET", url: "http://node/v2/users", headers: [] };
  const response = { status: 200, headers: [], content: { mimeType: "application/json", text } };
  return JSON.stringify({ startedDateTime: "2026-01-01T00:00:00Z", time: 1, request, response });
}

const harOf = (entries: readonly string[], end = "]}}\n") => `{"log":{"entries":[\n${entries.join(",\n")}\n${end}`;
const many = (count: number, bytes: number) => Array.from({ length: count }, () => entryOf(bytes));

async function judged(text: string): Promise<readonly [isJudged: boolean, exchanges: number]> {
  const file = join(mkdtempSync(join(tmpdir(), "understudy-")), "x.har");
  writeFileSync(file, text);
  const verdict = new Verdict(spec);
  await using threads = new ExaminingThreads(2, { profile, level: "release", areNeighboursJudged: false });
  const isJudged = await judgePlainFile(file, { settings, verdict, threads, progress: () => {} });
  return [isJudged, verdict.summary().exchanges];
}

test.each([
  ["small entries in several parts", harOf(many(9000, 10)), 9000],
  ["entries that go on behind their part", harOf(many(9, 700_000)), 9],
  ["an entry longer than a part", harOf([...many(1, 1_500_000), ...many(3, 10)]), 4],
  ["no entry", harOf([]), 0],
  ["an end on several lines", harOf(many(3, 10), "]\n}\n}"), 3],
])("threads judge each entry once: %s", async (_, text, exchanges) => {
  expect(await judged(text)).toEqual([true, exchanges]);
});

test.each([
  ["it is indented", JSON.stringify(JSON.parse(harOf(many(3, 10))), undefined, 2)],
  ["an entry is longer than two parts", harOf(many(2, 3_000_000))],
  ["an entry is no JSON", harOf([...many(9, 10), '{"a"}'])],
  ["a line is a text", harOf([...many(9, 10), '"x"'])],
  ["it breaks off", harOf(many(9, 10)).slice(0, -30)],
  ["its end is missing", harOf(many(9, 10), "")],
  ["something is behind its end", harOf(many(9, 10), "]}}\nx")],
  ["another member is behind its entries", harOf(many(9, 10), '],"comment":""}}')],
  ["it is a list", `[\n${many(9, 10).join(",\n")}\n]`],
  ["it is empty", ""],
])("threads leave a file alone where %s", async (_, text) => {
  expect((await judged(text))[0]).toBe(false);
});

test("a thread that ends before its work is done is told", async () => {
  const file = join(mkdtempSync(join(tmpdir(), "understudy-")), "x.har");
  writeFileSync(file, harOf(many(9, 700_000)));
  const threads = new ExaminingThreads(2, { profile, level: "release", areNeighboursJudged: false });
  const judging = judgePlainFile(file, { settings, verdict: new Verdict(spec), threads, progress: () => {} });
  // Whatever becomes of it is awaited from the beginning on.
  const ended = judging.catch((error: unknown) => error);
  await threads[Symbol.asyncDispose]();
  const failure = await ended;
  expect(failure).toBeInstanceOf(ThreadEnded);
  expect(String(failure)).toContain("A thread that judges ended before its work was done");
});
