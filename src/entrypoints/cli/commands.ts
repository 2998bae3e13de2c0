import type { Command } from "./options.ts";

/** A command by its name, and what it is for; the rest of it is loaded when it is asked for. */
export interface ListedCommand {
  readonly name: string;
  readonly summary: string;
  load(): Promise<Command>;
}

/** All commands. Whoever asks for one loads no other, nor the libraries that only another one needs. */
export const commands: readonly ListedCommand[] = [
  {
    name: "serve",
    summary: "Serves a scenario as a stateful stub of a participant and a token registry on one base URL.",
    load: async () => (await import("./serve/serve.ts")).serve,
  },
  {
    name: "run",
    summary:
      "Runs the steps of scenarios and checks every response: against the stub in every profile where they hold, or against a target.",
    load: async () => (await import("./run.ts")).run,
  },
  {
    name: "check",
    summary: "Checks recorded exchanges, or what a live target responds to probes, against the contract.",
    load: async () => (await import("./check/check.ts")).check,
  },
  {
    name: "merge",
    summary: "Joins the JSON reports of checks, such as those of shards, into one verdict.",
    load: async () => (await import("./check/merge.ts")).merge,
  },
  {
    name: "record",
    summary: "Records and checks what passes between clients and a real ledger and registry, changing nothing of it.",
    load: async () => (await import("./record/record.ts")).record,
  },
  {
    name: "redact",
    summary: "Takes tokens, cookies, signatures and keys out of a recording and renames who and what it speaks of.",
    load: async () => (await import("./record/redact.ts")).redact,
  },
  {
    name: "replay",
    summary: "Serves a recording, or sends its requests again and compares what comes.",
    load: async () => (await import("./replay/replay.ts")).replay,
  },
  {
    name: "scenario",
    summary: "Makes of a recording a scenario that plays it, with its fixtures, and tries it on the stub.",
    load: async () => (await import("./import/scenario.ts")).scenario,
  },
  {
    name: "explore",
    summary: "Walks at random through a target and the stub beside it, and shrinks what differs.",
    load: async () => (await import("./explore/explore.ts")).explore,
  },
  {
    name: "export",
    summary:
      "Plays scenarios on the stub and writes what came: a page with a sequence diagram, curl lines, HAR, a Pact.",
    load: async () => (await import("./export-scenarios.ts")).exportScenarios,
  },
  {
    name: "validate",
    summary: "Checks scenarios and fixtures and reports every problem with file, line and what to do.",
    load: async () => (await import("./validate.ts")).validate,
  },
  {
    name: "fixture",
    summary: "Makes a registry fixture from recorded transfer-factory lookups (HAR, or noted exchanges).",
    load: async () => (await import("./import/fixture.ts")).fixture,
  },
  {
    name: "generate",
    summary: "Makes a ledger fixture, a registry fixture and a scenario of any size: the same flags, the same bytes.",
    load: async () => (await import("./generate.ts")).generate,
  },
  {
    name: "token",
    summary: "Mints a token of a user for tests, signed with a shared secret, as serve --auth jwt takes it.",
    load: async () => (await import("./token.ts")).token,
  },
  {
    name: "pact",
    summary: "Checks Pact files against the contract, serves their provider states, and writes them from scenarios.",
    load: async () => (await import("./pact/pact.ts")).pact,
  },
  {
    name: "profiles",
    summary: "Lists the releases that Understudy knows, shows where one differs from the spec, or compares two.",
    load: async () => (await import("./profiles.ts")).profiles,
  },
];
