import { node } from "../processes.ts";
import type { Install } from "../workspace.ts";
import type { Server } from "./_server.ts";

/** `understudy serve` of an installed package with all defaults; without a scenario, the quickstart. */
export function understudyServer({ name, command }: Install, scenario?: string): Server {
  const words = scenario === undefined ? [] : [scenario];
  return { name, prepare: ({ port }) => node(command, "serve", ...words, "--port", String(port)) };
}

/** `understudy record` in front of a target. */
export function recorder({ name, command }: Install, target: string, out: string): Server {
  const flags = ["--ledger", target, "--out", out, "--quiet"];
  return { name, prepare: ({ port }) => node(command, "record", ...flags, "--port", String(port)) };
}
