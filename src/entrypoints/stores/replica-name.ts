import { randomBytes } from "node:crypto";
import { readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** A name that no other process has: machine, number of the process, and a random part. */
export function newReplicaName(): string {
  return `${machine()}-${process.pid}-${randomBytes(4).toString("hex")}`;
}

/** Whether a replica was a process of this machine that has ended. One of another machine or container may run. */
export function hasEnded(replica: string): boolean {
  const [, place, pid] = /^(.*)-(\d+)-[0-9a-f]{8}$/.exec(replica) ?? [];
  if (place !== machine()) return false;
  try {
    return !process.kill(Number(pid), 0);
  } catch (error) {
    // A process of another user may not be signalled.
    return error instanceof Error && "code" in error && error.code === "ESRCH";
  }
}

/** The name of the machine, and on Linux the number of the container in which process numbers are unique. */
function machine(): string {
  try {
    return `${hostname()}-${readlinkSync("/proc/self/ns/pid").replaceAll(/\D/g, "")}`;
  } catch {
    return hostname();
  }
}
