import { randomOf, seedOf } from "./random.ts";
import type { Fault } from "./request-faults.ts";

/** Selects `count` requests of an operation with as many kinds of fault as possible. The words of a fault have no influence. */
export function drawFaulty<Faulty extends { readonly fault: Pick<Fault, "id"> }>(
  faulty: readonly Faulty[],
  { count, seed, operationId }: { readonly count: number; readonly seed: number; readonly operationId: string },
): readonly Faulty[] {
  const byId = [...Map.groupBy(faulty, ({ fault }) => fault.id)].sort(
    ([left], [right]) => seedOf(seed, `${operationId} ${left}`) - seedOf(seed, `${operationId} ${right}`),
  );
  const chosen: Faulty[] = [];
  for (let round = 0; chosen.length < Math.min(count, faulty.length); round += 1)
    for (const [id, requests] of byId) {
      if (chosen.length === count || requests.length === 0) continue;
      const place = randomOf(seed, `${operationId} ${id}`, round).below(requests.length);
      chosen.push(...requests.splice(place, 1));
    }
  return chosen;
}
