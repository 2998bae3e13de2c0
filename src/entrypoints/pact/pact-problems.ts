import { advise } from "../../foundation/text/suggestion.ts";
import type { Problem } from "../../scenarios/files/problem.ts";
import { readPact } from "./read-pact.ts";

const emptyAdvice = "Run the tests of the consumer, which write the interactions.";

/** The problems of a Pact file, and its provider states that no scenario provides; `states` is undefined without scenarios. */
export function pactProblems(name: string, text: string, states: readonly string[] | undefined): readonly Problem[] {
  const result = readPact(name, text);
  if (result.type === "invalid") return result.problems;
  const { interactions, skipped, version, placeOf } = result.file;
  if (interactions.length + skipped.length === 0)
    return [{ file: name, ...placeOf(["interactions"]), problem: "the file has no interaction", advice: emptyAdvice }];
  if (states === undefined) return [];
  return interactions.flatMap(({ providerStates, path }) =>
    providerStates.flatMap((state, index) => {
      if (state.name === "" || states.includes(state.name)) return [];
      const place = placeOf([...path, ...(version === 2 ? ["providerState"] : ["providerStates", index])]);
      const problem = `no scenario has the provider state ${JSON.stringify(state.name)}`;
      const advice = advise(state.name, states, "The scenarios list all under providerStates.");
      return [{ file: name, ...place, problem, advice }];
    }),
  );
}
