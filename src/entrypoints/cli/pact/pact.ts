import { alternatives } from "../../../foundation/text/suggestion.ts";
import { UserError } from "../../programs/user-error.ts";
import type { Command, Options, Subcommand } from "../options.ts";
import { pactCheck } from "./pact-check.ts";
import { pactStates } from "./pact-states.ts";
import { pactWrite } from "./pact-write.ts";

const subcommands: readonly Subcommand[] = [pactCheck, pactStates, pactWrite];

export const pact: Command = {
  name: "pact",
  usage: "pact check|states|write …",
  flags: [],
  examples: [
    "understudy pact check pacts/",
    "understudy pact write scenarios/quickstart.arazzo.yaml --out quickstart.json",
  ],
  subcommands,
  run: refuse,
};

async function refuse({ positionals }: Options): Promise<number> {
  const names = subcommands.map(({ name }) => name.replace(/^pact /, ""));
  const [word] = positionals;
  if (word === undefined)
    throw new UserError(`pact needs a subcommand: ${names.join(", ")}. For example: understudy pact check pacts/`);
  throw new UserError(`There is no command ${JSON.stringify(`pact ${word}`)}. Use ${alternatives(names)}.`);
}
