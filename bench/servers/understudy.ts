import type { ServerKind } from "./_server.ts";

export const understudy: ServerKind = {
  name: "understudy",
  title: "Understudy",
  setUp:
    "`understudy serve SCENARIO --port N` of the packed and installed package, as it is by default: stateful, requests validated, journal and client rules on.",
  absence: () => undefined,
  prepare: ({ port, workspace }) => ({
    command: process.execPath,
    words: [workspace.understudy, "serve", workspace.scenario, "--port", String(port)],
  }),
};
