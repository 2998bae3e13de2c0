import { contracts, type Profile } from "../../../foundation/spec/contracts.ts";
import { defaultProfileOf } from "../../../foundation/spec/spec.ts";
import { advise } from "../../../foundation/text/suggestion.ts";
import { exitCodes, UserError } from "../../programs/user-error.ts";
import type { Command, Environment, Options } from "../options.ts";
import { printDifferences } from "./print-differences.ts";

export const profiles: Command = {
  name: "profiles",
  usage: "profiles [NAME | diff A B]",
  flags: [],
  arguments: ["diff", ...contracts.profiles.map(({ name }) => name)],
  examples: ["understudy profiles canton-3.5", "understudy profiles diff canton-3.4.12 canton-3.5"],
  run: runProfiles,
};

const nameWidth = Math.max(...contracts.profiles.map(({ name }) => name.length));

async function runProfiles(options: Options, environment: Environment): Promise<number> {
  const [name, ...others] = options.positionals;
  if (name === "diff") return compare(others, options, environment);
  if (others.length > 0)
    throw new UserError(
      `profiles takes one name. To compare two: understudy profiles diff ${[name, ...others].slice(0, 2).join(" ")}`,
    );
  const chosen = name === undefined ? contracts.profiles : [profileNamed(name)];
  for (const profile of chosen) {
    const known = contracts.divergences[profile.name] ?? [];
    if (options.flag("json"))
      environment.print(JSON.stringify({ ...profile, divergences: name === undefined ? known.length : known }));
    else
      environment.print(
        [
          `${profile.name.padEnd(nameWidth)} ${profile.description} Known divergences: ${known.length}.${name === undefined ? "" : " Second column: whether the stub plays it."}`,
          ...(name === undefined
            ? []
            : known.map(({ id, title, played }) => `  ${id}  ${played.padEnd("in every profile".length)}  ${title}`)),
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

/** The latest other profile of the same API. */
function otherThan({ name, api }: Profile): string {
  const other = contracts.profiles.find((profile) => profile.name !== name && profile.api === api);
  return other?.name ?? defaultProfileOf("ledger");
}

/** Prints the differences of two releases. */
function compare(names: readonly string[], options: Options, environment: Environment): number {
  const [left, right, ...more] = names.map(profileNamed);
  if (left === undefined || more.length > 0)
    throw new UserError("profiles diff needs two profiles: understudy profiles diff canton-3.4.12 canton-3.5");
  if (right === undefined)
    throw new UserError(
      `profiles diff needs a second profile: understudy profiles diff ${left.name} ${otherThan(left)}`,
    );
  if (left === right)
    throw new UserError(`profiles diff compares two profiles, and both names are ${left.name}. Name another one.`);
  printDifferences(left, right, environment, options.flag("json"));
  return exitCodes.fine;
}
