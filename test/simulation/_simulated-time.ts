/** A timer that waits for wall time to pass. */
interface Sleeper {
  readonly dueMs: number;
  readonly wake: () => void;
  /** Over when what was waited for is done. */
  done: Promise<void>;
}

/** The clock of the machine, which the walk advances, and the timers that wait for it. */
export class SimulatedTime {
  nowMs: number = Date.parse("2026-03-01T00:00:00Z");
  /** A clock that is never set: what sets the clock of the machine back takes no time. */
  steadyNowMs: number = this.nowMs;
  #sleepers: Sleeper[] = [];
  #isHurried = false;
  #onSleep: () => void = () => undefined;

  sleep(durationMs: number): Promise<void> {
    if (this.#isHurried) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#sleepers.push({ dueMs: this.nowMs + durationMs, wake: resolve, done: Promise.resolve() });
    this.#onSleep();
    return promise;
  }

  /** Starts something and waits until it is done, or waits itself; says which. What it does after that is finished when it is woken. */
  async untilAsleep(start: () => Promise<void>): Promise<"done" | "asleep"> {
    const { promise, resolve } = Promise.withResolvers<"asleep">();
    this.#onSleep = () => resolve("asleep");
    const done = start();
    const received = await Promise.race([promise, done.then(() => "done" as const)]);
    this.#onSleep = () => undefined;
    const sleeper = this.#sleepers.at(-1);
    if (received === "asleep" && sleeper !== undefined) sleeper.done = done;
    return received;
  }

  /** Runs a function without waiting for time to pass. */
  async withoutWaiting<Value>(run: () => Promise<Value>): Promise<Value> {
    this.#isHurried = true;
    try {
      return await run();
    } finally {
      this.#isHurried = false;
    }
  }

  /** The clock moves, and who is due goes on, one after the other. */
  async move(byMs: number): Promise<void> {
    this.nowMs += byMs;
    this.steadyNowMs += Math.max(0, byMs);
    await this.#wake(({ dueMs }) => dueMs <= this.nowMs);
  }

  /** Ends every wait. */
  async wakeAll(): Promise<void> {
    await this.#wake(() => true);
  }

  async #wake(isDue: (sleeper: Sleeper) => boolean): Promise<void> {
    const due = this.#sleepers.filter(isDue).sort((left, right) => left.dueMs - right.dueMs);
    this.#sleepers = this.#sleepers.filter((sleeper) => !isDue(sleeper));
    for (const { wake, done } of due) {
      wake();
      await done;
    }
  }
}
