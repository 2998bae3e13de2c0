import { opinionLines, type SecondOpinion } from "../../programs/check/second-opinion.ts";
import { booleanFlag, type Environment, type Flag, type Options, rare } from "../options.ts";

export const secondOpinionFlag: Flag = {
  ...rare(booleanFlag("second-opinion", "also validate with Prism, and list what only one of the two finds")),
  group: "Check",
};

/** Prints the second opinion, if `--second-opinion` asks for one. */
export function secondOpinionIn(
  options: Options,
  { print }: Environment,
): ((opinion: SecondOpinion) => void) | undefined {
  if (!options.flag(secondOpinionFlag.name)) return undefined;
  return (opinion) => {
    const result = opinion.result();
    if (options.flag("json")) print(JSON.stringify({ event: "second-opinion", ...result }));
    else for (const line of opinionLines(result)) print(line);
  };
}
