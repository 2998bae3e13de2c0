// Parses the entries of a recording as a script does: `node parse-lines.ts FILE`. Each line is read by Node's reader, parsed and dropped.
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";

let entries = 0;
for await (const line of createInterface({ input: createReadStream(process.argv[2] ?? "") })) {
  if (!line.startsWith('{"started')) continue;
  const entry: unknown = JSON.parse(line.endsWith(",") ? line.slice(0, -1) : line);
  if (entry !== null) entries += 1;
}
if (entries === 0) throw new Error("nothing was read");
