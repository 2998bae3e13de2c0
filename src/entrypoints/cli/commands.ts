import type { Command } from "./options.ts";

/** A command's name and summary; `load` imports the rest. */
interface ListedCommand {
  readonly name: string;
  readonly summary: string;
  load(): Promise<Command>;
}

/** Commands that the overview shows under one title. */
interface CommandGroup {
  readonly title: string;
  readonly commands: readonly ListedCommand[];
}

/** All commands. Running one imports no other, nor the libraries that only others need. */
export const commandGroups: readonly CommandGroup[] = [
  {
    title: "START",
    commands: [
      {
        name: "init",
        summary: "Add a first test, a scenario and a CI job to your project.",
        load: async () => (await import("./init/init.ts")).init,
      },
    ],
  },
  {
    title: "MOCK",
    commands: [
      {
        name: "serve",
        summary: "Serve a stateful stub of a participant and a token registry.",
        load: async () => (await import("./serve/serve.ts")).serve,
      },
      {
        name: "token",
        summary: "Print a test token of a user, for serve --auth jwt.",
        load: async () => (await import("./token.ts")).token,
      },
      {
        name: "env",
        summary: "Print the environment variables that tools of a LocalNet read, for serve --localnet.",
        load: async () => (await import("./env.ts")).env,
      },
      {
        name: "wait-ready",
        summary: "Wait until a stub, node or validator is ready.",
        load: async () => (await import("./wait-ready.ts")).waitReady,
      },
      {
        name: "generate",
        summary: "Generate fixtures and a scenario of any size. The same seed gives the same files.",
        load: async () => (await import("./generate.ts")).generate,
      },
    ],
  },
  {
    title: "TEST",
    commands: [
      {
        name: "run",
        summary: "Run scenarios against the stub or a target, and check every response.",
        load: async () => (await import("./run.ts")).run,
      },
      {
        name: "check",
        summary: "Check recordings, or the responses of a live target to probes, against the spec.",
        load: async () => (await import("./check/check.ts")).check,
      },
      {
        name: "pact",
        summary: "Check Pact files, serve their provider states, or write them from scenarios.",
        load: async () => (await import("./pact/pact.ts")).pact,
      },
    ],
  },
  {
    title: "RECORD",
    commands: [
      {
        name: "record",
        summary: "Record and check the traffic between clients and a real ledger and registry.",
        load: async () => (await import("./record/record.ts")).record,
      },
      {
        name: "replay",
        summary: "Serve the responses of a recording.",
        load: async () => (await import("./replay/replay.ts")).replay,
      },
      {
        name: "import",
        summary: "Turn a recording into a scenario with its fixtures, and try it on the stub.",
        load: async () => (await import("./import/import.ts")).importRecording,
      },
      {
        name: "redact",
        summary: "Remove the secrets from a recording and pseudonymize its ids.",
        load: async () => (await import("./redact/redact.ts")).redact,
      },
    ],
  },
  {
    title: "TOOLS",
    commands: [
      {
        name: "validate",
        summary: "Validate scenarios, fixtures, config, target and Pact files: every problem with its line.",
        load: async () => (await import("./validate.ts")).validate,
      },
      {
        name: "explain",
        summary: "Explain a rule, a probe, a known divergence, an error code or an operation by its id.",
        load: async () => (await import("./explain.ts")).explain,
      },
      {
        name: "export",
        summary: "Export scenarios as Markdown with a sequence diagram, curl lines, HAR or Pact.",
        load: async () => (await import("./export-scenarios.ts")).exportScenarios,
      },
      {
        name: "profiles",
        summary: "List the profiles, the known divergences of one, or the differences between two.",
        load: async () => (await import("./profiles/profiles.ts")).profiles,
      },
      {
        name: "mcp",
        summary: "Serve tools for AI assistants: the Model Context Protocol over standard input and output.",
        load: async () => (await import("./mcp.ts")).mcp,
      },
      {
        name: "completion",
        summary: "Print the completion script of bash, zsh or fish.",
        load: async () => (await import("./completion/completion.ts")).completionOf(commands),
      },
    ],
  },
];

export const commands: readonly ListedCommand[] = commandGroups.flatMap((group) => group.commands);
