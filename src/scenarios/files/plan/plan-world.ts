import type { Json } from "../../../foundation/json/json.ts";
import { objectOf, objectsOf, textOf } from "../../../foundation/json/members.ts";
import { tableOf } from "../../../foundation/table/table.ts";
import { checkSchema } from "../check-schema.ts";
import { namesOf } from "../fixtures/defined-names.ts";
import { ledgerFrom } from "../fixtures/ledger-fixture.ts";
import type { Fixture } from "../fixtures/read-fixture.ts";
import type { SourceFile } from "../source-file.ts";
import type { PlanKind, PlanOptions } from "./compile-plan.ts";

/** What a plan looks up in fixtures with problems. Of a list that is not readable no name is unknown. */
export function planWorldOf(
  ledger: Fixture,
  registry: Fixture,
): Pick<PlanOptions, "ledger" | "registry" | "unreadable"> {
  const [ledgerRoot, registryRoot] = [objectOf(ledger.source?.value), objectOf(registry.source?.value)];
  const isUnread = (fixture: Fixture) => fixture.source === undefined || fixture.problems.length > 0;
  const names = (list: PlanKind, member?: string) => {
    const [fixture, root] = list === "contracts" ? [registry, registryRoot] : [ledger, ledgerRoot];
    return namesOf(root, list, { ...(member === undefined ? {} : { member }), hasProblems: isUnread(fixture) });
  };
  const rows = (list: string, members: readonly string[]) =>
    objectsOf(ledgerRoot[list])
      .map((row) => Object.fromEntries(members.map((member) => [member, textOf(row[member])])))
      .filter((row) => members.every((member) => row[member] !== ""));
  const outline = {
    participantId: textOf(ledgerRoot["participantId"]),
    users: rows("users", ["id"]),
    synchronizers: rows("synchronizers", ["id", "alias"]),
    packages: rows("packages", ["id"]),
  };
  const lists = { users: names("users"), synchronizers: names("synchronizers", "alias"), packages: names("packages") };
  const contracts = names("contracts");
  return {
    ledger: ledgerFrom({ name: "", value: outline, placeOf: () => ({ line: 1, column: 1 }) }),
    registry: { contracts: tableOf([...(contracts ?? [])].map((name) => [name, name])) },
    unreadable: new Set(
      Object.entries({ ...lists, contracts }).flatMap(([kind, known]) => (known === undefined ? [kind] : [])),
    ),
  };
}

/** Whether an entry of a plan has the shape of its schema. */
export function isPlanEntry(entry: Json): boolean {
  return checkSchema("scenario", planSource([entry])).length === 0;
}

/** Entries of a plan as a file, for problems without a place. */
export function planSource(plan: readonly Json[]): SourceFile {
  const value = { given: { ledger: "-", registry: "-" }, plan };
  return { name: "plan", value, placeOf: () => ({ line: 1, column: 1 }) };
}
