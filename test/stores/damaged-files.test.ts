import { chmodSync, copyFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { expectRefusal, folderOf, temporaryFolder } from "../acceptance/_command-line.ts";
import { openedAfter, pageBytes, writtenStores } from "./_cut-files.ts";
import { openReplica } from "./_replicas.ts";

/** Expects that `serve` refuses a file as its store. */
const expectRefused = (file: string, message: string | RegExp) =>
  expectRefusal(["serve", "--port", "0", "--store", `sqlite:${file}`], message);

test("a store whose log was cut has the changes before the cut; one whose database was cut is refused", async () => {
  const { open: store } = await writtenStores();
  const { size } = statSync(`${store.file}-wal`);
  expect(await openedAfter({ of: "log", bytes: 0 }, store)).toEqual({ type: "opened", state: 14 });
  expect(await openedAfter({ of: "log", bytes: size - 1 }, store)).toEqual({ type: "opened", state: 25 });
  expect(await openedAfter({ of: "log", bytes: size >> 1 }, store)).toMatchObject({ type: "opened" });
  const pages = statSync(store.file).size / pageBytes(store.file);
  // The last page of a long value lies behind its other pages.
  for (let page = pages - 4; page < pages; page += 1)
    expect(await openedAfter({ of: "database", bytes: page * pageBytes(store.file) }, store)).toMatchObject({
      type: "refused",
    });
});

test.each([
  { name: "garbage", content: Buffer.alloc(10_000, "garbage"), message: "file is not a database. Restore a copy" },
  { name: "an empty file", content: "", message: "is empty and not a store. Delete it" },
  { name: "one byte", content: "x", message: "is empty and not a store. Delete it" },
])("serve refuses a store of $name", async ({ content, message }) => {
  const folder = folderOf({ "store.db": content });
  await expectRefused(join(folder, "store.db"), message);
});

test("serve refuses a folder, and a file in a folder that does not exist", async () => {
  const folder = temporaryFolder();
  await expectRefused(folder, "cannot be used as a store: unable to open database file");
  await expectRefused(
    join(folder, "none", "store.db"),
    `there is no folder ${join(folder, "none")}. Create it, or name another file.`,
  );
});

test("serve refuses a store of a newer version", async () => {
  const file = join(temporaryFolder(), "store.db");
  await (await openReplica({ name: "a", url: `sqlite:${file}` })).close();
  const database = new DatabaseSync(file);
  database.exec("INSERT INTO migrations (number, name, applied_ms) VALUES (9999, 'later', 0)");
  database.close();
  await expectRefused(file, "The store has version 9999, and this version of Understudy knows versions up to");
});

test("serve refuses a file that it may not write", async () => {
  const file = join(temporaryFolder(), "store.db");
  await (await openReplica({ name: "a", url: `sqlite:${file}` })).close();
  const copy = join(temporaryFolder(), "copy.db");
  copyFileSync(file, copy);
  chmodSync(copy, 0o444);
  chmodSync(dirname(copy), 0o555);
  await asAnyUser(() => expectRefused(copy, "cannot be used as a store: attempt to write a readonly database"));
  chmodSync(dirname(copy), 0o755);
});

/** Runs a function without the rights of the administrator, who may write every file. */
async function asAnyUser(run: () => Promise<void>): Promise<void> {
  const isAdministrator = process.geteuid?.() === 0;
  if (isAdministrator) process.seteuid?.(65_534);
  try {
    await run();
  } finally {
    if (isAdministrator) process.seteuid?.(0);
  }
}
