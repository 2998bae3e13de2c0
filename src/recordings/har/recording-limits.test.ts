import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { type RecordingItem, readRecording } from "./read-recording.ts";
import { type RecordingLimits, recordingLimits } from "./recording-limits.ts";

const page = readFileSync(new URL("../../../docs/limits.md", import.meta.url), "utf8");

test.each(Object.entries(recordingLimits))("docs/limits.md lists %s with its value", (name, value) => {
  expect(page).toMatch(new RegExp(`^\\| \`${name}\` \\| ${value}\\D`, "m"));
});

/** Yields chunks without end, and counts the bytes that were read and whether the reader ended them. */
function endless(begin: string, repeated: string) {
  const source = { bytes: 0, isEnded: false };
  async function* chunks() {
    try {
      for (let text = begin; source.bytes < 1_000_000; text = repeated) {
        source.bytes += text.length;
        yield new TextEncoder().encode(text);
      }
    } finally {
      source.isEnded = true;
    }
  }
  return { source, chunks: chunks() };
}

async function read(
  chunks: AsyncIterable<Uint8Array>,
  limits: Partial<RecordingLimits>,
  isWanted?: (byte: number) => boolean,
): Promise<readonly RecordingItem[]> {
  const items: RecordingItem[] = [];
  for await (const item of readRecording(chunks, { isWanted, limits: { ...recordingLimits, ...limits } }))
    items.push(item);
  return items;
}

const letters = "a".repeat(100);
const first = '{"request":{"method":"GET","url":"/1"},"response":{"status":200}}';

test.each([
  ["in a string", '{"log":{"entries":[{"x":"', letters],
  ["in brackets", '{"log":{"entries":[{"x":', "[".repeat(100)],
  ["on several lines", '{"log":{"entries":[{"x":[', "1,\n".repeat(30)],
  ["in a list", '[{"x":"', letters],
  ["at the top level", '{"x":"', letters],
])("stops reading when an entry %s exceeds the limit", async (_name, begin, repeated) => {
  const problem = "an entry exceeds the limit of 1000 bytes (entryBytesMax)";
  for (const isWanted of [true, false]) {
    const { source, chunks } = endless(begin, repeated);
    const items = await read(chunks, { entryBytesMax: 1000 }, () => isWanted);
    expect(items).toEqual([{ type: "invalid", problem, entries: 0, line: 1, byte: begin.indexOf('{"x"') }]);
    expect(source.isEnded).toBe(true);
    expect(source.bytes).toBeLessThan(1200);
  }
});

test("gives the entries before one that exceeds the limit", async () => {
  const { chunks } = endless(`{"log":{"entries":[\n${first},\n{"x":"`, letters);
  expect(await read(chunks, { entryBytesMax: 1000 })).toMatchObject([
    { type: "exchange" },
    { type: "invalid", entries: 1, line: 3 },
  ]);
});

async function* bytesOf(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

test("an entry of the largest size is read, on a line and between others", async () => {
  for (const layout of [`{"log":{"entries":[\n${first}\n]}}`, `{"log":{"entries":[${first},${first}]}}`])
    for (const [entryBytesMax, type] of [
      [first.length, "exchange"],
      [first.length - 1, "invalid"],
    ] as const)
      expect((await read(bytesOf(layout, 7), { entryBytesMax }))[0]).toMatchObject({ type });
});

const entryWith = (response: object, request: object = {}) =>
  JSON.stringify({
    startedDateTime: "2026-01-01T00:00:00Z",
    request: { method: "GET", url: "/v2/users", headers: [], ...request },
    response: { status: 200, headers: [], ...response },
  });

const compressed = (text: string) => ({
  headers: [{ name: "Content-Encoding", value: "gzip" }],
  content: { encoding: "base64", text: gzipSync(text).toString("base64") },
});
const base64 = (text: string) => ({ encoding: "base64", text: btoa(text) });
const values = `{"users":[${"1,".repeat(500)}1]}`;
const [bodyProblem, decodedProblem] = [
  "a body exceeds the limit of 1000 bytes (recordedBodyBytesMax)",
  "a decoded body exceeds the limit of 1000 bytes (recordedBodyBytesMax)",
];
const urlProblem = "a URL exceeds the limit of 500 characters (recordedUrlLengthMax)";
const valuesProblem = "a body exceeds the limit of 300 JSON values (recordedValuesMax)";

test.each([
  ["a compressed response", entryWith(compressed("a".repeat(1001))), decodedProblem],
  ["a URL", entryWith({}, { url: `/${"a".repeat(500)}` }), urlProblem],
  ["a response", entryWith({ content: { text: "a".repeat(1001) } }), bodyProblem],
  ["a response in base64", entryWith({ content: base64("a".repeat(1010)) }), bodyProblem],
  ["an incomplete response", entryWith({ content: { text: "a".repeat(1001) }, comment: "truncated" }), bodyProblem],
  ["a response of multi-byte characters", entryWith({ content: { text: "€".repeat(334) } }), bodyProblem],
  ["a request", entryWith({}, { postData: { text: "a".repeat(1001) } }), bodyProblem],
  [
    "a request in base64",
    entryWith({}, { postData: { _encoding: "base64", text: btoa("a".repeat(1010)) } }),
    bodyProblem,
  ],
  ["a response with many values", entryWith({ content: { text: values.slice(0, 999) } }), valuesProblem],
  ["a compressed response with many values", entryWith(compressed(values.slice(0, 999))), valuesProblem],
  [
    "many headers",
    entryWith({ headers: new Array(400).fill({}) }),
    "it exceeds the limit of 300 JSON values (recordedValuesMax)",
  ],
])("skips an entry with %s beyond the limit, and reads the others", async (_name, entry, problem) => {
  const limits = { recordedBodyBytesMax: 1000, recordedUrlLengthMax: 500, recordedValuesMax: 300 };
  for (const separator of [",\n", ","])
    for (const size of [7, 100_000]) {
      const begin = `{"log":{"entries":[\n${first}${separator}`;
      const items = await read(bytesOf(`${begin}${entry}${separator}${first}\n]}}`, size), limits);
      const line = separator === "," ? 2 : 3;
      expect(items).toMatchObject([
        { type: "exchange", index: 0 },
        { type: "skipped", index: 1, problem, line, byte: begin.length, length: Buffer.byteLength(entry) },
        { type: "exchange", index: 2 },
      ]);
    }
});

test("reads bodies of the largest size", async () => {
  const limits = { recordedBodyBytesMax: 1000, recordedValuesMax: 300 };
  for (const response of [
    { content: { text: "a".repeat(1000) } },
    { content: { text: "€".repeat(333) } },
    { content: base64("a".repeat(1000)) },
    { content: { text: `[${"1,".repeat(299)}1]` } },
    { content: { text: ",".repeat(1000) } },
    compressed("a".repeat(1000)),
  ])
    expect(await read(bytesOf(`[${entryWith(response)}]`, 100_000), limits)).toMatchObject([{ type: "exchange" }]);
});
