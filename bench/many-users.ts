import { closeSync, copyFileSync, existsSync, mkdirSync, openSync, readFileSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Workspace } from "./workspace.ts";

export interface ManyUsers {
  readonly scenario: string;
  readonly ledger: string;
}

/** Writes a copy of the generated fixture with this many users, once per run. It repeats the rows under new ids, copy after copy. */
export function manyUsers({ large: { scenario = "" }, folder }: Workspace, count: number): ManyUsers {
  const [from, to] = [dirname(scenario), join(folder, "many-users")];
  const written = { scenario: join(to, "scenario.arazzo.yaml"), ledger: join(to, "ledger.json") };
  if (existsSync(to)) return written;
  mkdirSync(to);
  for (const name of ["registry.json", "scenario.arazzo.yaml"]) copyFileSync(join(from, name), join(to, name));
  const { users, ...rest } = JSON.parse(readFileSync(join(from, "ledger.json"), "utf8"));
  const rows: readonly { readonly id: string }[] = users;
  const file = openSync(written.ledger, "w");
  writeSync(file, `${JSON.stringify(rest).slice(0, -1)},"users":[\n`);
  for (let first = 0; first < count; first += rows.length) {
    const copy = `c${String(first / rows.length).padStart(6, "0")}`;
    const copies = rows.slice(0, count - first).map((row) => JSON.stringify({ ...row, id: `${copy}-${row.id}` }));
    writeSync(file, copies.join(",\n") + (first + rows.length < count ? ",\n" : "\n]}\n"));
  }
  closeSync(file);
  return written;
}
