import type { Launch } from "../processes.ts";
import type { LoadRequest, LoadResponse } from "../request.ts";
import type { Subject } from "../rows.ts";
import type { Workspace } from "../workspace.ts";

/** A request, and Understudy's response to it. Other servers return the same response. */
export interface Sample {
  readonly request: LoadRequest;
  readonly response: LoadResponse;
}

export interface StartOptions {
  readonly port: number;
  readonly workspace: Workspace;
  readonly samples: readonly Sample[];
}

export interface Server {
  readonly name: Subject;
  /** The core, if not that of measured servers. */
  readonly core?: string;
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
