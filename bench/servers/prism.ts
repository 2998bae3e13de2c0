import { join } from "node:path";
import { node } from "../processes.ts";
import { peerVariables, type Server } from "./_server.ts";

export const prism: Server = {
  name: "prism",
  prepare: ({ port, workspace }) => ({
    ...node(
      join(workspace.peers, "@stoplight/prism-cli/dist/index.js"),
      "mock",
      workspace.joinedDescription,
      "--port",
      String(port),
    ),
    variables: peerVariables(workspace),
  }),
};
