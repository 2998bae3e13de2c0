import { advise } from "../../foundation/text/suggestion.ts";
import { startUnderstudy } from "../library/start-understudy.ts";
import { UnderstudyError } from "../library/understudy-error.ts";
import type { StartOptions } from "../library/understudy-options.ts";
import { bounds } from "./bounds.ts";
import { RunningStub } from "./running-stub.ts";

/** The stubs of one assistant. Each listens on loopback, at a free port. */
export class OpenStubs {
  readonly #stubs = new Map<string, RunningStub>();
  #started = 0;
  #starting = 0;
  #isClosed = false;

  /** Throws an UnderstudyError where too many stubs run. */
  async start(options: StartOptions, user: string | undefined): Promise<RunningStub> {
    if (this.#stubs.size + this.#starting >= bounds.stubs)
      throw new UnderstudyError(
        `${bounds.stubs} stubs are running, which is the limit. Stop one with stop_stub: ${this.#ids.join(", ")}.`,
      );
    this.#starting += 1;
    try {
      const understudy = await startUnderstudy(options);
      if (this.#isClosed) {
        await understudy.close();
        throw new UnderstudyError("The server is closing.");
      }
      this.#started += 1;
      const stub = new RunningStub(`stub-${this.#started}`, understudy, user);
      this.#stubs.set(stub.id, stub);
      return stub;
    } finally {
      this.#starting -= 1;
    }
  }

  /** The stub with the id; without an id the only one. Throws an UnderstudyError that names the running ones. */
  find(id: string | undefined): RunningStub {
    if (this.#stubs.size === 0) throw new UnderstudyError("No stub is running. Start one with start_stub.");
    if (id === undefined && this.#stubs.size > 1)
      throw new UnderstudyError(`Several stubs are running: ${this.#ids.join(", ")}. Name one with the argument stub.`);
    const stub = this.#stubs.get(id ?? this.#ids[0] ?? "");
    if (stub !== undefined) return stub;
    const name = id ?? "";
    throw new UnderstudyError(`stub: no stub ${JSON.stringify(name)} is running. ${advise(name, this.#ids)}`);
  }

  async stop(stub: RunningStub): Promise<void> {
    this.#stubs.delete(stub.id);
    await stub.understudy.close();
  }

  /** Stops all stubs, and those that are starting as soon as they run. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#stubs.values()].map((stub) => this.stop(stub)));
  }

  get #ids(): readonly string[] {
    return [...this.#stubs.keys()];
  }
}
