import { join } from "node:path";
import { peerVariables, type Server } from "./_server.ts";

export const specmatic: Server = {
  name: "specmatic",
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
