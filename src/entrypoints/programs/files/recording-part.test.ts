import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { harEntry } from "../../../../test/_har.ts";
import { temporaryFolder } from "../../../../test/acceptance/_command-line.ts";
import { appended, openingOf } from "../../../recordings/har/recording-frame.ts";
import { layoutOf, readPart } from "./recording-part.ts";

const entries = Array.from({ length: 9 }, (_, index) =>
  JSON.stringify(harEntry(`http://node/${index}`, { text: "é".repeat(index * 50) })),
);

function written(lines: readonly string[]) {
  const folder = temporaryFolder();
  const text = `${openingOf("1.0.0")}${appended(lines, true)}`;
  writeFileSync(join(folder, "x.har"), text);
  return { text, source: { folder, input: Readable.from([]) } };
}

/** The paths and places of the exchanges in one part; problems with their line. */
async function seen(
  { source }: ReturnType<typeof written>,
  [from, begin, end]: readonly [number, number, number],
): Promise<readonly unknown[]> {
  const { opening } = await layoutOf("x.har", source);
  if (opening === undefined) throw new Error("the recording is by Understudy");
  const found: unknown[] = [];
  for await (const item of readPart("x.har", source, { opening, part: { from, begin, end } }, () => true))
    found.push(
      item.type === "exchange"
        ? [item.exchange.request.target.slice("http://node/".length), item.place.byte]
        : [item.problem, item.line, item.byte],
    );
  return found;
}

test("parts that meet at any byte have each entry once, at its place in the file", async () => {
  const recording = written(entries);
  const { length } = Buffer.from(recording.text);
  const all = await seen(recording, [0, 0, Number.POSITIVE_INFINITY]);
  expect(all).toHaveLength(9);
  const lastEntry = recording.text.lastIndexOf('{"startedDateTime"');
  for (let byte = 1; byte < lastEntry; byte += 29) {
    const first = await seen(recording, [0, 0, byte]);
    const second = await seen(recording, [byte, length, Number.POSITIVE_INFINITY]);
    expect([...first, ...second]).toEqual(all);
  }
});

test("a problem has its line and byte in the whole file", async () => {
  const recording = written([...entries.slice(0, 8), '{"startedDateTime":no JSON}', ...entries.slice(8)]);
  const byte = Buffer.from(recording.text).indexOf("no JSON") - '{"startedDateTime":'.length;
  const found = await seen(recording, [byte - 10, byte, Number.POSITIVE_INFINITY]);
  expect(found).toEqual([["an entry is not JSON", 10, byte]]);
  expect((await seen(recording, [0, 0, Number.POSITIVE_INFINITY])).at(-1)).toEqual(found[0]);
});

test("reads from the beginning where no entry begins like those of Understudy", async () => {
  const recording = written(['{"request":{"url":"http://node/a"},"response":{"status":200}}', "{}"]);
  const { length } = recording.text;
  expect(await seen(recording, [length - 20, length - 10, Number.POSITIVE_INFINITY])).toHaveLength(2);
});

test.each([
  ["a recording by Understudy", (text: string) => text, true, true],
  ["a recording by another program", (text: string) => text.replace("canton-understudy", "x"), true, false],
  ["a compressed recording", gzipSync, false, false],
])("knows the size and the opening of %s", async (_name, change, hasSize, hasOpening) => {
  const { source, text } = written(entries);
  writeFileSync(join(source.folder, "x.har"), change(text));
  const { size, opening } = await layoutOf("x.har", source);
  expect([size !== undefined, opening !== undefined]).toEqual([hasSize, hasOpening]);
});
