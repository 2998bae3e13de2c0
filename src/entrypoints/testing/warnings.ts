import { warningsOf } from "../../stub/control/end-of-test.ts";
import type { Understudy } from "../library/understudy.ts";
import type { UnderstudyTestOptions } from "./end-of-test.ts";

const specLine =
  'Profile spec is the letter of the spec. To play a release, such as that of a LocalNet: { profile: "canton-3.6" }.';

/** Prints what tests that pass would hide, each line once: that they name no release, and and what `warningsOf` gives. */
export class TestWarnings {
  readonly #options: UnderstudyTestOptions;
  readonly #print: (line: string) => void;
  readonly #printed = new Set<string>();

  constructor(
    options: UnderstudyTestOptions,
    print: (line: string) => void = (line) => process.emitWarning(line, "Understudy"),
  ) {
    this.#options = options;
    this.#print = print;
  }

  /** Call it after each test, before its world is closed. */
  after(world: Pick<Understudy, "profile" | "isClosed" | "journal" | "clientFindings">): void {
    if (world.isClosed) return;
    if (this.#options.profile === undefined && world.profile.ledger === "spec") this.#once(specLine);
    for (const line of warningsOf(world, this.#options)) this.#once(line);
  }

  #once(line: string): void {
    if (this.#printed.has(line)) return;
    this.#printed.add(line);
    this.#print(line);
  }
}
