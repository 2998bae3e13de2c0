import { expect } from "vitest";
import { attempt } from "./_attempt.ts";
import { targetOfKind } from "./kinds.ts";

const seed = 1;

/** How many inputs of each kind `npm run test:deep` throws. `npm run fuzz` throws more. */
export const deepInputs: Readonly<Record<string, number>> = {
  http: 500,
  json: 400,
  fixture: 80,
  scenario: 80,
  criterion: 60,
  har: 200,
  infer: 10,
  pact: 200,
  protobuf: 200,
  archive: 200,
  dar: 200,
  control: 500,
  given: 300,
};

/** Throws so many inputs of a kind, and fails with the first one that has a wrong result. */
export async function expectNothingWrong(kind: string, count: number): Promise<void> {
  const target = await targetOfKind(kind);
  try {
    for (let number = 0; number < count; number += 1) {
      const finding = await attempt(target, seed, number);
      const again = `npm run fuzz -- --kind ${kind} --seed ${seed} --only ${number}`;
      expect(finding === undefined ? undefined : `${finding.slice(0, 2000)}\n${again}`).toBeUndefined();
    }
  } finally {
    await target.close();
  }
}
