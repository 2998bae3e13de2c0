import { sha256OfText } from "../../foundation/crypto/sha256.ts";
import type { WorldState } from "../../simulator/world/world-state.ts";
import { differenceOf, type Entry, entriesOfJson, withEntries } from "./difference.ts";
import { isWorldState } from "./is-world-state.ts";
import { partsOf } from "./snapshot-parts.ts";
import { isPlainObject } from "./stored-value.ts";

/** The form of an archive; a newer one is refused. */
const formatNow = 1;

/** A world that can be hosted: its state, and the state to which a reset leads. */
export interface ArchivedWorld {
  readonly id: string;
  readonly labels: readonly string[];
  readonly start: WorldState;
  readonly state: WorldState;
}

/**
 * A world as the text of one file, a JSON value a line: the header with the digest of the other lines, the entries of its start in
 * parts, and what leads from there to its state.
 */
export function archiveOf({ id, labels, start, state }: ArchivedWorld, scenario: string, exportedAt: string): string {
  const lines: string[] = [];
  for (const entries of partsOf(start)) lines.push(`{"start":${entries}}`);
  lines.push(JSON.stringify({ changes: differenceOf(start, state) }));
  const content = lines.join("\n");
  const header = {
    understudy: "world",
    format: formatNow,
    id,
    scenario,
    labels,
    exportedAt,
    digest: sha256OfText(content),
  };
  return `${JSON.stringify(header)}\n${content}\n`;
}

/** The world of an archive, or the problem of the text. */
export function archivedWorld(text: string): ArchivedWorld | string {
  const [first = "", ...lines] = text.trimEnd().split("\n");
  const header = jsonIn(first);
  if (!isPlainObject(header) || header["understudy"] !== "world")
    return "The body is not the archive of a world. Send what GET /__understudy/worlds/{world}/archive gave.";
  const { format, id, labels, digest } = header;
  if (format !== formatNow)
    return `The archive has format ${String(format)}, and this version of Understudy reads format ${formatNow}. Update Understudy.`;
  if (sha256OfText(lines.join("\n")) !== digest)
    return "The archive is damaged: its digest does not match. Export the world again.";
  try {
    return worldIn(lines, String(id), Array.isArray(labels) ? labels.map(String) : []);
  } catch (error) {
    return `The archive is not readable: ${error instanceof Error ? error.message : String(error)}.`;
  }
}

function worldIn(lines: readonly string[], id: string, labels: readonly string[]): ArchivedWorld | string {
  const ofStart: Entry[] = [];
  const changes: Entry[] = [];
  for (const line of lines) {
    const part = jsonIn(line);
    if (!isPlainObject(part)) return "The archive is not readable: a line is not a JSON object.";
    for (const entry of entriesOfJson(part["start"] ?? [])) ofStart.push(entry);
    for (const entry of entriesOfJson(part["changes"] ?? [])) changes.push(entry);
  }
  const start = withEntries(undefined, ofStart);
  const state = withEntries(start, changes);
  if (!isWorldState(start) || !isWorldState(state)) return "The archive is not readable: it has no world.";
  return { id, labels, start, state };
}

function jsonIn(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
