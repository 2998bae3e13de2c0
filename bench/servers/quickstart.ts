import type { ServerKind } from "./_server.ts";
import { understudy } from "./understudy.ts";

/** Understudy as in the quickstart: without a scenario. */
export const quickstart: ServerKind = {
  ...understudy,
  prepare: ({ port, workspace }) => ({
    command: process.execPath,
    words: [workspace.understudy, "serve", "--port", String(port)],
  }),
};
