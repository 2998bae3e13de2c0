import { sha256OfText } from "../../foundation/crypto/sha256.ts";
import { digitsMax, nestingMax } from "../../foundation/json/json.ts";
import { exceededBound, type JsonBounds } from "../../foundation/json/json-bounds.ts";
import { shortened } from "../../foundation/text/shortened.ts";
import { utf8Length } from "../../foundation/text/utf8.ts";
import type { WorldState } from "../../simulator/world/world-state.ts";
import { differenceOf, entriesOfJson, type TableEntry, withEntries } from "./difference.ts";
import { isWorldState } from "./is-world-state.ts";
import { misplacedRows } from "./misplaced-rows.ts";
import { partsOf } from "./snapshot-parts.ts";
import type { StateSource } from "./state-source.ts";
import { isPlainObject, storedValue } from "./stored-value.ts";

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

/** What an archive may hold. All are counted before anything is built. */
const archiveBounds: JsonBounds = { nestingMax, jsonValuesMax: 100_000, numberLengthMax: digitsMax };

/** A world of an archive, and that archive. */
export interface ReadArchive extends ArchivedWorld {
  readonly sources: readonly StateSource[];
}

/** The world of an archive, or the problem of the text. */
export async function archivedWorld(text: string): Promise<ReadArchive | string> {
  const exceeded = exceededBound(text, archiveBounds);
  if (exceeded !== undefined)
    return `The archive exceeds a limit of archives: ${exceeded} is ${archiveBounds[exceeded]}. Export a smaller world.`;
  // Each line has a value, so a text with more lines is no archive.
  const [first = "", ...lines] = text.trimEnd().split("\n", archiveBounds.jsonValuesMax + 2);
  const header = jsonIn(first);
  if (!isPlainObject(header) || header["understudy"] !== "world")
    return "The body is not the archive of a world. Send what GET /__understudy/worlds/{world}/archive gave.";
  const { format, id, labels, digest } = header;
  if (format !== formatNow)
    return `The archive has format ${shortened(JSON.stringify(format ?? null))}, and this version of Understudy reads format ${formatNow}. Update Understudy.`;
  if (sha256OfText(lines.join("\n")) !== digest)
    return "The archive is damaged: its digest does not match. Export the world again.";
  // Loaded at the first import of a process.
  const { worldState } = await import("./generated/world-state.js");
  try {
    const states = statesIn(lines);
    for (const name of ["start", "state"] as const) {
      const isSame = name === "state" && states.state === states.start;
      if (isSame || worldState(storedValue(states[name]))) continue;
      const { instancePath = "", message = "" } = worldState.errors?.[0] ?? {};
      return `The archive is not readable: its ${name} ${message} at ${shortened(instancePath || "/")}. ${advice}`;
    }
    const { start, state } = states;
    if (!isWorldState(start) || !isWorldState(state)) return `The archive is not readable: it has no world. ${advice}`;
    const [misplaced] = [...misplacedRows(start), ...misplacedRows(state)];
    if (misplaced !== undefined)
      return `The archive is not readable: ${misplaced} has a row under another key than its own. ${advice}`;
    return {
      id: String(id),
      labels: Array.isArray(labels) ? labels.map(String) : [],
      start,
      state,
      sources: [{ bytes: utf8Length(text) }],
    };
  } catch (error) {
    return `The archive is not readable: ${error instanceof Error ? error.message : String(error)}. ${advice}`;
  }
}

const advice = "Export the world again with this version of Understudy.";

function statesIn(lines: readonly string[]): { readonly start: unknown; readonly state: unknown } {
  const ofStart: TableEntry[] = [];
  const changes: TableEntry[] = [];
  for (const line of lines) {
    const part = jsonIn(line);
    if (!isPlainObject(part)) throw new Error("a line is not a JSON object");
    for (const entry of entriesOfJson(part["start"] ?? [])) ofStart.push(entry);
    for (const entry of entriesOfJson(part["changes"] ?? [])) changes.push(entry);
  }
  const start = withEntries(undefined, ofStart);
  return { start, state: withEntries(start, changes) };
}

function jsonIn(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
