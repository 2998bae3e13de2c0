import type { WorldState } from "../../simulator/world/world-state.ts";
import { entriesOf } from "./difference.ts";

/** Characters of a part of a snapshot; a row that is longer is a part of its own. */
const partLengthMax: number = 256 * 1024;

/** A state as texts of bounded length, each a JSON list of entries. */
export function* partsOf(state: WorldState): IterableIterator<string> {
  let lines: string[] = [];
  let length = 0;
  for (const entry of entriesOf(state)) {
    const line = JSON.stringify(entry);
    if (length > 0 && length + line.length > partLengthMax) {
      yield `[${lines.join(",")}]`;
      [lines, length] = [[], 0];
    }
    lines.push(line);
    length += line.length;
  }
  yield `[${lines.join(",")}]`;
}
