import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { appended, closing, openingOf } from "../../../recordings/har/recording-frame.ts";
import { namedFile } from "../../programs/files/named-file.ts";
import { createRecordingFile, type Disk, RecordingFile, waitingBytesMax } from "./recording-file.ts";
import { recoverRecording } from "./recover-recording.ts";

const version = "1.0.0";
const opening = openingOf(version);
const entry = (id: number | string, more = "") => JSON.stringify({ id, request: {}, response: {}, more });

function folderOf(): string {
  const folder = mkdtempSync(join(tmpdir(), "understudy-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

const idsIn = (text: string) => JSON.parse(text).log.entries.map(({ id }: { readonly id: number }) => id);

test("the file is valid HAR with one entry a line after every append", async () => {
  const file = join(folderOf(), "x.har");
  const recording = await createRecordingFile(namedFile(file, { folder: "/" }), { isForced: false, version });
  expect(JSON.parse(readFileSync(file, "utf8")).log).toMatchObject({ version: "1.2", entries: [] });
  for (let id = 0; id < 3; id += 1) {
    expect(await recording.append(entry(id))).toBe("written");
    expect(idsIn(readFileSync(file, "utf8"))).toHaveLength(id + 1);
  }
  await recording.close();
  expect(readFileSync(file, "utf8")).toBe(`${opening}\n${entry(0)},\n${entry(1)},\n${entry(2)}\n]}}`);
  expect(existsSync(`${file}.lock`)).toBe(false);
});

/** A disk that writes only after `release`, and at most `bytesMax`. */
function heldDisk(disk: Disk, bytesMax = Number.POSITIVE_INFINITY) {
  const writes: { go: () => void; readonly bytes: number }[] = [];
  let isHeld = true;
  const held: Disk = {
    write: async (bytes, offset, length, position) => {
      if (isHeld) await new Promise<void>((go) => writes.push({ go, bytes: length }));
      const room = Math.max(bytesMax - position, 0);
      if (room === 0) throw Object.assign(new Error("full"), { code: "ENOSPC" });
      return disk.write(bytes, offset, Math.min(length, room), position);
    },
    truncate: (length) => disk.truncate(length),
    sync: () => disk.sync(),
    close: () => disk.close(),
  };
  const release = () => {
    isHeld = false;
    for (const { go } of writes) go();
  };
  return { held, writes, release };
}

async function onHeldDisk(bytesMax?: number) {
  const file = join(folderOf(), "x.har");
  writeFileSync(file, `${opening}${closing}`);
  const disk = heldDisk(await open(file, "r+"), bytesMax);
  return { ...disk, file, recording: new RecordingFile(namedFile(file, { folder: "/" }), disk.held, opening.length) };
}

test("entries that arrive during a write are written together in the next write", async () => {
  const { recording, writes, release, file } = await onHeldDisk();
  const outcomes = [0, 1, 2, 3].map((id) => recording.append(entry(id)));
  release();
  expect(await Promise.all(outcomes)).toEqual(["written", "written", "written", "written"]);
  expect(writes.map(({ bytes }) => bytes)).toEqual([appended([entry(0)], true).length]);
  await recording.close();
  expect(idsIn(readFileSync(file, "utf8"))).toEqual([0, 1, 2, 3]);
});

test("drops an entry if too many wait for a blocked disk, and reports it", async () => {
  const { recording, release } = await onHeldDisk();
  const large = "x".repeat(waitingBytesMax / 2);
  const outcomes = [recording.append(large), recording.append(large), recording.append("x")];
  expect(await outcomes[2]).toBe("dropped");
  release();
  expect(await Promise.all(outcomes)).toEqual(["written", "written", "dropped"]);
  expect(await recording.append(entry(1))).toBe("written");
  await recording.close();
});

test.each([0, 1, 2, 3, 4, 5, 20, 40])(
  "a disk that is full after %i bytes of an append leaves a valid recording",
  async (more) => {
    const first = `${opening}\n${entry(0)}`;
    const { recording, release, file } = await onHeldDisk(first.length + closing.length + more);
    release();
    expect(await recording.append(entry(0))).toBe("written");
    expect(await recording.append(entry(1, "x".repeat(100)))).toBe("failed");
    expect(readFileSync(file, "utf8")).toBe(`${first}${closing}`);
    expect(await recording.append(entry(2))).toBe("failed");
    await recording.failure;
    expect(recording.problem?.message).toBe(
      `${file}: writing failed (the disk is full, ENOSPC). The file keeps 1 exchange; the recording has ended.`,
    );
    expect(recording.problem?.exitCode).toBe(2);
    await recording.close();
    expect(await recoverRecording(namedFile(file, { folder: "/" }))).toEqual({
      entries: 1,
      isComplete: true,
      removedBytes: 0,
    });
  },
);

test("refuses an existing file, a file that is not regular, and a file that is being recorded", async () => {
  const folder = folderOf();
  const file = join(folder, "x.har");
  const recording = await createRecordingFile(namedFile(file, { folder: "/" }), { isForced: false, version });
  writeFileSync(`${file}.lock`, String(process.ppid));
  await expect(createRecordingFile(namedFile(file, { folder: "/" }), { isForced: true, version })).rejects.toThrow(
    `${file} is being recorded by process ${process.ppid}.`,
  );
  await expect(recoverRecording(namedFile(file, { folder: "/" }))).rejects.toThrow("is being recorded by process");
  await recording.append(entry(1));
  await recording.close();
  await expect(createRecordingFile(namedFile(file, { folder: "/" }), { isForced: false, version })).rejects.toThrow(
    "or replace it with --force",
  );
  expect(idsIn(readFileSync(file, "utf8"))).toEqual([1]);
  // The lock of an ended process does not count.
  writeFileSync(`${file}.lock`, "999999999");
  await (await createRecordingFile(namedFile(file, { folder: "/" }), { isForced: true, version })).close();
  expect(idsIn(readFileSync(file, "utf8"))).toEqual([]);
  symlinkSync("/dev/null", join(folder, "null"));
  await expect(
    createRecordingFile(namedFile(join(folder, "null"), { folder: "/" }), { isForced: true, version }),
  ).rejects.toThrow("not a regular file");
});

test("recovery keeps every complete entry, wherever an append was interrupted", async () => {
  const file = join(folderOf(), "x.har");
  for (const before of [[], [entry(0)]]) {
    const kept = before.length === 0 ? opening : `${opening}\n${entry(0)}`;
    const whole = `${kept}${closing}`;
    const append = appended([entry(1), entry(2)], before.length === 0);
    for (let torn = 0; torn <= append.length; torn += 1) {
      // An interrupted write keeps the old bytes behind it.
      writeFileSync(file, `${kept}${append.slice(0, torn)}${whole.slice(kept.length + torn)}`);
      const { entries } = await recoverRecording(namedFile(file, { folder: "/" }));
      const text = readFileSync(file, "utf8");
      const ids = idsIn(text);
      expect(ids).toEqual([0, 1, 2].slice(1 - before.length, 1 - before.length + entries));
      expect(entries).toBeGreaterThanOrEqual(before.length + (append.slice(0, torn).includes(entry(1)) ? 1 : 0));
      expect(entries).toBeGreaterThanOrEqual(before.length + (append.slice(0, torn).includes(entry(2)) ? 2 : 0));
      expect(await recoverRecording(namedFile(file, { folder: "/" }))).toEqual({
        entries,
        isComplete: true,
        removedBytes: 0,
      });
      expect(readFileSync(file, "utf8")).toBe(text);
    }
  }
});

test.each([
  ["a text that is not a recording", "x"],
  ["an empty file", ""],
  ["an entry that is damaged in the middle", `${opening}\n${entry(0)},\n{"request":x},\n${entry(1)}${closing}`],
  ["lines of entries", `${entry(0)}\n${entry(1)}`],
])("recovery refuses %s and changes nothing", async (_name, text) => {
  const file = join(folderOf(), "x.har");
  writeFileSync(file, text);
  await expect(recoverRecording(namedFile(file, { folder: "/" }))).rejects.toThrow(file);
  expect(readFileSync(file, "utf8")).toBe(text);
  expect(existsSync(`${file}.lock`)).toBe(false);
});
