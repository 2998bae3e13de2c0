import { closeSync, copyFileSync, existsSync, mkdirSync, openSync, readFileSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { isObject, type JsonObject, parseObject } from "../json.ts";
import type { Workspace } from "../workspace.ts";

export interface ManyUsers {
  readonly scenario: string;
  readonly ledger: string;
}

/**
 * Writes a copy of the generated fixture with this many users, once per run. It repeats the rows under new ids, copy after
 * copy, so that the last thousand users are the first thousand under other ids.
 */
export function writeManyUsers({ scenario, folder }: Workspace, count: number): ManyUsers {
  const [from, to] = [dirname(scenario), join(folder, "many-users")];
  const written = { scenario: join(to, "scenario.arazzo.yaml"), ledger: join(to, "ledger.json") };
  if (existsSync(to)) return written;
  mkdirSync(to);
  for (const name of ["registry.json", "scenario.arazzo.yaml"]) copyFileSync(join(from, name), join(to, name));
  const { users, ...rest } = parseObject(readFileSync(join(from, "ledger.json"), "utf8"));
  const rows = Array.isArray(users) ? users.filter(isObject) : [];
  const file = openSync(written.ledger, "w");
  writeSync(file, `${JSON.stringify(rest).slice(0, -1)},"users":[\n`);
  for (let first = 0; first < count; first += rows.length) {
    const copies = rows
      .slice(0, count - first)
      .map((row) => JSON.stringify({ ...row, id: idOf(row, first / rows.length) }));
    writeSync(file, copies.join(",\n") + (first + rows.length < count ? ",\n" : "\n]}\n"));
  }
  closeSync(file);
  return written;
}

function idOf(row: JsonObject, copy: number): string {
  return `c${String(copy).padStart(6, "0")}-${row["id"]}`;
}
