import { advise } from "../scenario/suggestion.ts";
import { contracts } from "../spec/contracts.ts";
import type { Command, Environment, Options } from "./options.ts";
import { exitCodes, UserError } from "./user-error.ts";

export const profiles: Command = {
  name: "profiles",
  usage: "profiles [NAME]",
  summary: "Lists the releases that Understudy knows, or shows where one differs from the document.",
  flags: [],
  run: runProfiles,
};

async function runProfiles(options: Options, environment: Environment): Promise<number> {
  const [name, ...others] = options.positionals;
  if (others.length > 0) throw new UserError("profiles takes one name, or none for the list.");
  const chosen =
    name === undefined ? contracts.profiles : contracts.profiles.filter((profile) => profile.name === name);
  if (name !== undefined && chosen.length === 0)
    throw new UserError(
      `There is no profile ${name}. ${advise(
        name,
        contracts.profiles.map((profile) => profile.name),
      )}`,
    );
  for (const profile of chosen) {
    const known = contracts.divergences[profile.name] ?? [];
    if (options.flag("json"))
      environment.print(JSON.stringify({ ...profile, divergences: name === undefined ? known.length : known }));
    else
      environment.print(
        [
          `${profile.name.padEnd(12)} ${profile.description} Known divergences: ${known.length}.`,
          ...(name === undefined
            ? []
            : known.map(({ id, title, played }) => `  ${id}  ${played ? "played" : "      "}  ${title}`)),
        ].join("\n"),
      );
  }
  return exitCodes.fine;
}
