import type { Understudy } from "../library/understudy.ts";
import type { UnderstudyTestOptions } from "./end-of-test.ts";

const specLine =
  'Profile spec is the letter of the spec. To play a release, such as that of a LocalNet: { profile: "canton-3.6" }.';

/** Prints what tests that pass would hide, each line once: that they name no release, and client warnings. */
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
  after(world: Pick<Understudy, "profile" | "isClosed" | "clientFindings">): void {
    if (world.isClosed) return;
    const { profile, clientRules = "errors", allow = [] } = this.#options;
    if (profile === undefined && world.profile.ledger === "spec") this.#once("profile", specLine);
    if (clientRules !== "errors") return;
    for (const { kind, rule, severity, method, path, expected, actual } of world.clientFindings())
      if (severity === "warning" && !allow.includes(rule))
        this.#once(kind, `client warning ${rule}: ${method} ${path}: expected ${expected}, actual ${actual}`);
  }

  #once(key: string, line: string): void {
    if (this.#printed.has(key)) return;
    this.#printed.add(key);
    this.#print(line);
  }
}
