import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { node } from "../processes.ts";
import type { Server } from "./_server.ts";

const script: string = fileURLToPath(new URL("bare-server.mjs", import.meta.url));

/** A server that reads and parses bodies, keeps and checks nothing, and sends the given responses: the limit of a server in Node. */
export const bare: Server = {
  name: "reference",
  prepare({ port, workspace, samples }) {
    const responses = join(workspace.folder, `responses-${port}.json`);
    const given = samples.map(({ request: { method, path }, response }) => ({
      method,
      // The responses of updates and grants are the same for all users.
      prefix: method === "GET" ? path : path.replace(/(\/v2\/users).*/, "$1"),
      ...response,
    }));
    writeFileSync(responses, JSON.stringify(given));
    return node(script, String(port), responses);
  },
};
