import { join } from "node:path";
import { peerVariables, type ServerKind } from "./_server.ts";

export const specmatic: ServerKind = {
  name: "specmatic",
  title: "Specmatic",
  setUp:
    "`specmatic mock` of the npm package's jar with our two OpenAPI descriptions. It validates requests, keeps no state, and makes its response from the schema at random.",
  absence: ({ java }) => (java === undefined ? "no Java on this machine" : undefined),
  prepare: ({ port, workspace }) => ({
    command: "java",
    words: [
      "-jar",
      join(workspace.peers, "specmatic/specmatic.jar"),
      "mock",
      ...workspace.descriptions,
      "--host",
      "127.0.0.1",
      "--port",
      String(port),
    ],
    folder: workspace.folder,
    variables: peerVariables(workspace),
  }),
};
