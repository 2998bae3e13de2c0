import type { LoadRequest, LoadResponse } from "../load/request.ts";
import type { Tools } from "../machine.ts";
import type { Launch } from "../processes.ts";
import type { Workspace } from "../workspace.ts";

type ServerName = "understudy" | "bare" | "prism" | "mockoon" | "wiremock" | "specmatic";

/** A request, and Understudy's response to it. Other servers return the same response. */
export interface Sample {
  readonly request: LoadRequest;
  readonly response: LoadResponse;
}

/** The requests of a run with Understudy's responses to them. */
export interface StartOptions {
  readonly port: number;
  readonly workspace: Workspace;
  readonly tools: Tools;
  readonly samples: readonly Sample[];
}

export interface ServerKind {
  readonly name: ServerName;
  readonly title: string;
  /** Its setup, and the features that it shares with Understudy. */
  readonly setUp: string;
  /** Reason why it cannot run on this machine; undefined if it can. */
  absence(tools: Tools): string | undefined;
  /** Writes its files, and gives the command that starts it. */
  prepare(options: StartOptions): Launch;
}

/** Peers write to a separate home folder, not to the user's. */
export function peerVariables({ folder }: Workspace): Readonly<Record<string, string>> {
  return { HOME: folder, USERPROFILE: folder };
}

export function bodyOf(samples: readonly Sample[], method: LoadRequest["method"], part: string): unknown {
  const found = samples.find(({ request }) => request.method === method && request.path.includes(part));
  if (found === undefined) throw new Error(`no sample of ${method} ${part}`);
  return JSON.parse(found.response.text);
}
