import { expect, test } from "vitest";
import { LabelQuotas } from "./label-quotas.ts";

function quotasAt(clock: { nowMs: number }) {
  return new LabelQuotas(
    new Map([
      ["team-a", { rate: 2 }],
      ["*", { worlds: 3 }],
    ]),
    () => clock.nowMs,
  );
}

test("a rate allows the requests of one second at once, and then as many as time has passed", () => {
  const clock = { nowMs: 0 };
  const [label] = quotasAt(clock).counted(["team-a"]);
  const served = () => {
    const waitSeconds = label?.waitSeconds();
    if (waitSeconds === 0) label?.serve();
    return waitSeconds;
  };
  expect([served(), served(), served()]).toEqual([0, 0, 0.5]);
  clock.nowMs = 500;
  expect([served(), served()]).toEqual([0, 0.5]);
  clock.nowMs = 60_000;
  expect([served(), served(), served()]).toEqual([0, 0, 0.5]);
});

test("a label without a quota of its own has that of *, which counts for each label alone", () => {
  const quotas = quotasAt({ nowMs: 0 });
  const [own, b, c] = quotas.counted(["team-a", "b", "c"]);
  expect([own?.quota, b?.quota, c?.quota]).toEqual([{ rate: 2 }, { worlds: 3 }, { worlds: 3 }]);
  b?.exceed("worlds");
  expect(quotas.report()).toEqual([
    { label: "team-a", name: "rate", value: 2, exceeded: 0 },
    { label: "b", name: "worlds", value: 3, exceeded: 1 },
    { label: "c", name: "worlds", value: 3, exceeded: 0 },
  ]);
});

test("a label without any quota is not counted", () => {
  const quotas = new LabelQuotas(new Map([["team-a", { worlds: 1 }]]), () => 0);
  expect(quotas.counted(["b"])).toEqual([]);
});

test("at most 10,000 labels are counted", () => {
  const quotas = quotasAt({ nowMs: 0 });
  for (let number = 0; number < 10_100; number += 1) quotas.counted([`label-${number}`]);
  expect(quotas.report().length).toBeLessThanOrEqual(10_001);
});
