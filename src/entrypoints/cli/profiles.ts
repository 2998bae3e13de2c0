import { contracts, type Profile } from "../../foundation/spec/contracts.ts";
import { advise } from "../../foundation/text/suggestion.ts";
import type { Command, Environment, Options } from "./options.ts";
import { exitCodes, UserError } from "./user-error.ts";

export const profiles: Command = {
  name: "profiles",
  usage: "profiles [NAME | diff A B]",
  flags: [],
  examples: ["understudy profiles canton-3.5", "understudy profiles diff canton-3.4.12 canton-3.5"],
  run: runProfiles,
};

const nameWidth = Math.max(...contracts.profiles.map(({ name }) => name.length));

async function runProfiles(options: Options, environment: Environment): Promise<number> {
  const [name, ...others] = options.positionals;
  if (name === "diff") return compare(others, options, environment);
  if (others.length > 0) throw new UserError("profiles takes one name, no name for the list, or diff and two names.");
  const chosen = name === undefined ? contracts.profiles : [profileNamed(name)];
  for (const profile of chosen) {
    const known = contracts.divergences[profile.name] ?? [];
    if (options.flag("json"))
      environment.print(JSON.stringify({ ...profile, divergences: name === undefined ? known.length : known }));
    else
      environment.print(
        [
          `${profile.name.padEnd(nameWidth)} ${profile.description} Known divergences: ${known.length}.`,
          ...(name === undefined
            ? []
            : known.map(({ id, title, played }) => `  ${id}  ${played ? "played" : "      "}  ${title}`)),
        ].join("\n"),
      );
  }
  return exitCodes.fine;
}

function profileNamed(name: string): Profile {
  const found = contracts.profiles.find((profile) => profile.name === name);
  if (found !== undefined) return found;
  const names = contracts.profiles.map((profile) => profile.name);
  throw new UserError(`There is no profile ${name}. ${advise(name, names)}`);
}

/** Prints the differences of two releases: behaviour, operations that only one has, and divergences that only one has. */
function compare(names: readonly string[], options: Options, environment: Environment): number {
  const [left, right, ...more] = names.map(profileNamed);
  if (left === undefined || right === undefined || more.length > 0)
    throw new UserError("profiles diff takes two names: profiles diff canton-3.4.12 canton-3.5");
  if (left === right)
    throw new UserError(`profiles diff compares two profiles, and both names are ${left.name}. Name another one.`);
  const rows = [...behaviourRows(left, right), ...operationRows(left, right), ...divergenceRows(left, right)];
  for (const row of rows)
    environment.print(
      options.flag("json")
        ? JSON.stringify({ event: "difference", ...row })
        : `${row.subject}\n  ${left.name}: ${row.left}\n  ${right.name}: ${row.right}`,
    );
  if (rows.length === 0 && !options.flag("json")) environment.print(`${left.name} and ${right.name} do not differ.`);
  return exitCodes.fine;
}

interface Difference {
  readonly subject: string;
  readonly left: string;
  readonly right: string;
}

function behaviourRows(left: Profile, right: Profile): readonly Difference[] {
  const [before, after] = [Object.entries(left.behaviour ?? {}), new Map(Object.entries(right.behaviour ?? {}))];
  return before
    .filter(([name, value]) => after.has(name) && after.get(name) !== value)
    .map(([name, value]) => ({ subject: name, left: yesNo(value), right: yesNo(after.get(name) === true) }));
}

function yesNo(value: boolean): string {
  return value ? "yes" : "no";
}

function operationRows(left: Profile, right: Profile): readonly Difference[] {
  const [before, after] = [new Set(left.lacks), new Set(right.lacks)];
  return [...new Set([...before, ...after])]
    .filter((operationId) => before.has(operationId) !== after.has(operationId))
    .map((operationId) => ({
      subject: operationId,
      left: before.has(operationId) ? "missing" : "available",
      right: after.has(operationId) ? "missing" : "available",
    }));
}

function divergenceRows(left: Profile, right: Profile): readonly Difference[] {
  const known = (name: string) => new Map((contracts.divergences[name] ?? []).map((entry) => [entry.id, entry]));
  const [before, after] = [known(left.name), known(right.name)];
  return [...new Map([...before, ...after]).values()]
    .filter(({ id }) => before.has(id) !== after.has(id))
    .map(({ id, title }) => ({
      subject: `${id} ${title}`,
      left: before.has(id) ? "diverges" : "as the spec",
      right: after.has(id) ? "diverges" : "as the spec",
    }));
}
