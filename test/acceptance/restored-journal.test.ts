import { expect, test } from "vitest";
import { hostScenario } from "../../src/entrypoints/library/host-scenario.ts";
import { Body } from "../../src/foundation/http/body.ts";
import { defaultWorldId } from "../../src/stub/hosting/world-id.ts";
import { InspectedWorld } from "../../src/stub/inspection/inspected-world.ts";
import { Journal } from "../../src/stub/journal/journal.ts";
import { scenarioOf } from "../_scenario.ts";

/** The outcome of the last of some requests, in a journal that was restored with these of them. */
async function lastOutcome(sent: readonly (readonly [string, string, string])[], kept: readonly number[]) {
  const hosting = hostScenario(scenarioOf("quickstart"), { wallNowMs: () => 0 });
  for (const [method, target, body] of sent)
    await hosting.handler({
      method,
      target,
      headers: [
        ["Authorization", "Bearer participant_admin"],
        ["Content-Type", "application/json"],
      ],
      body: new Body(body),
    });
  const hosted = hosting.worlds.get(defaultWorldId);
  if (hosted === undefined) throw new Error("the default world is served");
  const journal = new Journal<undefined>({ exchangesMax: 10, bytesMax: 100_000 });
  const records = hosted.journal.after(0, 10).filter(({ number }) => kept.includes(number));
  journal.restore({ records, last: sent.length }, undefined);
  const { world } = hosted;
  const strictness = { level: "release", areAdditionalOperationsChecked: true } as const;
  const options = { spec: hosting.wholeSpec, strictness, areClientRulesOff: true };
  return new InspectedWorld({ journal, world }, options).resultsOf(sent.length).verdict.outcome;
}

test("an exchange that a store lost may have changed what a later one shows", async () => {
  const rights = '{"userId":"zoe","rights":[{"kind":{"ParticipantAdmin":{"value":{}}}}]}';
  const requests = [
    ["POST", "/v2/users", '{"user":{"id":"zoe"}}'],
    ["POST", "/v2/users/zoe/rights", rights],
    ["PATCH", "/v2/users/zoe/rights", rights],
    ["POST", "/v2/users/zoe/rights", rights],
  ] as const;
  expect(await lastOutcome(requests, [1, 2, 3, 4])).toBe("PASS");
  expect(await lastOutcome(requests, [1, 2, 4])).toBe("PASS");
});
