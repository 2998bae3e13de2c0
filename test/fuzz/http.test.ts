import { expect, test } from "vitest";
import { randomFrom } from "../acceptance/_crashes.ts";
import { http } from "./http.ts";

const seed = 7;
const inputs = 500;

test(`${inputs} inputs that are almost HTTP change nothing and get an answer that fits, seed ${seed}`, async () => {
  const target = await http.open();
  const problems: string[] = [];
  for (let input = 1; input <= inputs; input += 1) {
    const problem = await target.attempt(randomFrom(seed * 1_000_000 + input));
    if (problem !== undefined) problems.push(`seed ${seed}, input ${input}: ${problem}`);
  }
  await target.close();
  expect(problems).toEqual([]);
});
