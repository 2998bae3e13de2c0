import { writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../../test/acceptance/_command-line.ts";
import { UserError } from "../user-error.ts";
import { fileChunks } from "./file-chunks.ts";
import { orUnreadable } from "./unreadable.ts";

async function opened() {
  const path = join(temporaryFolder(), "x.har");
  writeFileSync(path, "0123456789");
  return { name: "x.har", path, handle: await open(path) };
}

async function read(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  let text = "";
  for await (const chunk of chunks) text += Buffer.from(chunk).toString();
  return text;
}

test("reads from one byte to another, or on from where the file is", async () => {
  const file = await opened();
  await file.handle.read(Buffer.alloc(3), 0, 3);
  const texts = [await read(fileChunks(file, 1, 4)), await read(fileChunks(file, 8)), await read(fileChunks(file))];
  expect(texts).toEqual(["123", "89", "3456789"]);
  await file.handle.close();
});

test("a failed read names the file", async () => {
  const file = await opened();
  await file.handle.close();
  for (const begin of [0, undefined]) {
    const failed = read(fileChunks(file, begin));
    await expect(failed).rejects.toThrow(UserError);
    await expect(failed).rejects.toThrow("x.har: the file is not readable.");
  }
});

test.each(["EIO", "ESTALE"])("a read that fails with %s is a problem of the disk or the volume", async (code) => {
  const failed = orUnreadable({ name: "x.har", path: "/x.har" }, Promise.reject(Object.assign(new Error(), { code })));
  await expect(failed).rejects.toThrow(UserError);
  await expect(failed).rejects.toThrow(`x.har: reading failed (${code}).`);
});
