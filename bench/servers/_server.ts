import type { Requested, Responded } from "../load/asked.ts";
import type { Tools } from "../machine.ts";
import type { Launch } from "../processes.ts";
import type { Workspace } from "../workspace.ts";

export type ServerName = "understudy" | "bare" | "prism" | "mockoon" | "wiremock" | "specmatic";

/** An exchange of Understudy that others repeat. */
export interface Sample {
  readonly requested: Requested;
  readonly responded: Responded;
}

/** What a server has to be able to respond, and how Understudy responds it. */
export interface StartOptions {
  readonly port: number;
  readonly workspace: Workspace;
  readonly tools: Tools;
  readonly samples: readonly Sample[];
}

export interface ServerKind {
  readonly name: ServerName;
  readonly title: string;
  /** How it is set up, and what it does of what Understudy does. */
  readonly setUp: string;
  /** Why it cannot run here; undefined where it can. */
  absence(tools: Tools): string | undefined;
  /** Writes the files that it needs and says how it is started. */
  prepare(options: StartOptions): Launch;
}

/** Peers write below a home of their own, not below the user's. */
export function peerVariables({ folder }: Workspace): Readonly<Record<string, string>> {
  return { HOME: folder, USERPROFILE: folder };
}

export function bodyOf(samples: readonly Sample[], method: Requested["method"], part: string): unknown {
  const found = samples.find(({ requested }) => requested.method === method && requested.path.includes(part));
  if (found === undefined) throw new Error(`there is no sample of ${method} ${part}`);
  return JSON.parse(found.responded.text);
}
