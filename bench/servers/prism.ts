import { join } from "node:path";
import { peerVariables, type ServerKind } from "./_server.ts";

export const prism: ServerKind = {
  name: "prism",
  title: "Prism",
  setUp:
    "`prism mock` with our two OpenAPI descriptions joined to one, since it takes one. It validates requests, keeps no state, and makes its response from the schema: one user on a page, with few members.",
  absence: () => undefined,
  prepare: ({ port, workspace }) => ({
    command: process.execPath,
    words: [
      join(workspace.peers, "@stoplight/prism-cli/dist/index.js"),
      "mock",
      workspace.joinedDescription,
      "--port",
      String(port),
    ],
    variables: peerVariables(workspace),
  }),
};
