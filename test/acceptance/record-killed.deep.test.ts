import { expect, test } from "vitest";
import { randomFrom } from "../_random.ts";
import { seed } from "../_seed.ts";
import { crash } from "./_crashes.ts";

test("a recorder that is killed under load loses no finished exchange", async () => {
  const random = randomFrom(seed);
  for (let count = 0; count < 10; count += 1) {
    const { lost, finished } = await crash(random);
    expect({ seed, count, lost }).toEqual({ seed, count, lost: [] });
    expect(finished).toBeGreaterThan(0);
  }
});
