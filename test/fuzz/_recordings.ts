import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { formatJson, isJsonObject, type Json, parseJson } from "../../src/foundation/json/json.ts";
import { harEntry } from "../../src/recordings/har/har-entry.ts";
import { below, isDrawn, oneOf, type Random } from "./_draw.ts";
import { mutatedJson } from "./_mutate-json.ts";
import { playedIn } from "./_played.ts";

export interface GoodRecordings {
  readonly entries: readonly Json[];
  /** Files that are no lists of entries of a HAR. */
  readonly others: readonly Json[];
}

export async function goodRecordings(): Promise<GoodRecordings> {
  const folder = fileURLToPath(new URL("../recordings/", import.meta.url));
  const files = readdirSync(folder).map((name) => parseJson(readFileSync(join(folder, name), "utf8")));
  const entries = files.flatMap(entriesIn);
  const own = (await playedIn("canton-3.5")).map(({ exchange }) => harEntry(exchange));
  const note = {
    request: { method: "GET", url: "/v2/users", headers: { a: "b" } },
    response: { status: 200, body: {} },
  };
  return {
    entries: [...entries, ...own],
    others: [...files.filter((file) => entriesIn(file).length === 0), note, [note, note]],
  };
}

function entriesIn(file: Json): readonly Json[] {
  const log = isJsonObject(file) ? file["log"] : undefined;
  const entries = isJsonObject(log) ? log["entries"] : undefined;
  return Array.isArray(entries) ? entries : [];
}

const opening = '{"log":{"version":"1.2","creator":{"name":"x","version":"1"},"entries":[';

/** Some entries, mutated one by one or together, in one of the layouts that recorders write. */
export function mutatedRecording({ entries, others }: GoodRecordings, random: Random): string {
  if (isDrawn(random, 0.15)) return mutatedJson(oneOf(random, others), random);
  const some = Array.from({ length: 1 + below(random, 3) }, () => oneOf(random, entries));
  if (isDrawn(random, 0.2)) return mutatedJson({ log: { version: "1.2", entries: some } }, random);
  const lines = some.map((entry) => (isDrawn(random, 0.6) ? mutatedJson(entry, random) : formatJson(entry)));
  const newline = isDrawn(random, 0.2) ? "\r\n" : "\n";
  switch (below(random, 4)) {
    case 0:
      return `[${lines.join(",")}]`;
    case 1:
      return lines.join(newline);
    default:
      return `${opening}${newline}${lines.join(`,${newline}`)}${newline}]}}${newline}`;
  }
}
