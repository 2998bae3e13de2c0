import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { hasEnded, newReplicaName } from "./replica-name.ts";

/** The name of this process with another number. */
const nameOf = (pid: number) => newReplicaName().replace(`-${process.pid}-`, `-${pid}-`);

test("a process of this machine has ended when its number has no process", () => {
  const { pid } = spawnSync(process.execPath, ["--version"]);
  expect(hasEnded(nameOf(pid))).toBe(true);
  expect([hasEnded(nameOf(process.pid)), hasEnded(nameOf(process.ppid)), hasEnded(nameOf(1))]).toEqual([
    false,
    false,
    false,
  ]);
});

test("a process of another machine or container, or with a name of another form, may run", () => {
  const { pid } = spawnSync(process.execPath, ["--version"]);
  for (const name of [`elsewhere-${nameOf(pid)}`, `host-${pid}-01234567`, "a", ""]) expect(hasEnded(name)).toBe(false);
});
