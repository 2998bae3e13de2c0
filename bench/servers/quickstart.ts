import type { ServerKind } from "./_server.ts";
import { understudy } from "./understudy.ts";

/** Understudy as somebody starts it for the first time: without a scenario of their own. */
export const quickstart: ServerKind = {
  ...understudy,
  prepare: ({ port, workspace }) => ({
    command: process.execPath,
    words: [workspace.understudy, "serve", "--port", String(port)],
  }),
};
