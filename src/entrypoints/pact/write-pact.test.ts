import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { pactOf } from "../../../test/acceptance/_written-pact.ts";
import { isJsonObject, type Json } from "../../foundation/json/json.ts";
import { valueAt } from "../../foundation/spec/operation.ts";
import { loadSpec } from "../../foundation/spec/spec.ts";
import { checkPact } from "./check-interaction.ts";
import { readPact } from "./read-pact.ts";

const spec = loadSpec({ ledger: "spec", registry: "spec" }, { hasAdditionalOperations: true });

const scenarios = readdirSync("scenarios").filter((name) => name.endsWith(".arazzo.yaml"));

test.each(scenarios)("the Pact of %s does not contradict the spec", async (name) => {
  const { pact, interactions, skipped } = await pactOf(`scenarios/${name}`);
  const read = readPact("written.json", JSON.stringify(pact));
  if (read.type === "invalid") throw new Error(JSON.stringify(read.problems));
  const checked = checkPact(read.file, spec, "spec");
  expect(checked.filter(({ outcome }) => outcome === "contradicts" || outcome === "unsupported")).toEqual([]);
  expect(checked).toHaveLength(interactions);
  expect(skipped.every(({ reason }) => reason === "it is a step on the control API")).toBe(true);
});

async function interactionOf(name: string, index: number): Promise<Json> {
  const { pact } = await pactOf(`scenarios/${name}`);
  return valueAt(pact, `/interactions/${index}`) ?? null;
}

test("a text body matches by its error code", async () => {
  const interaction = await interactionOf("text-plain-400.arazzo.yaml", 0);
  expect(interaction).toMatchObject({
    response: {
      status: 400,
      headers: { "Content-Type": ["text/plain"] },
      body: { content: expect.stringMatching(/^Invalid value for: body/), contentType: "text/plain", encoded: false },
      matchingRules: { body: { $: { matchers: [{ match: "regex", regex: "^Invalid value for: body[\\s\\S]*$" }] } } },
    },
  });
});

test("replaces the token of the scenario, and matches any token", async () => {
  expect(await interactionOf("rights.arazzo.yaml", 0)).toMatchObject({
    request: {
      headers: { Authorization: ["Bearer a-token-of-the-consumer"], "Content-Type": ["application/json"] },
      matchingRules: { header: { Authorization: { matchers: [{ match: "regex", regex: "^Bearer .+$" }] } } },
    },
  });
});

test("identifiers match by syntax, and values in conditions by equality", async () => {
  const interaction = await interactionOf("reassignment-by-steps.arazzo.yaml", 0);
  const rules = valueAt(interaction, "/response/matchingRules/body") ?? {};
  const matcherAt = (path: string) =>
    isJsonObject(rules) ? valueAt(rules[path] ?? null, "/matchers/0/match") : undefined;
  expect(matcherAt("$.factoryId")).toBe("regex");
  expect(matcherAt("$.choiceContext.disclosedContracts[0].createdEventBlob")).toBe("type");
  expect(matcherAt("$.transferKind")).toBeUndefined();
});

test("texts of the request match by equality", async () => {
  const interaction = await interactionOf("update-user.arazzo.yaml", 0);
  expect(valueAt(interaction, "/response/body/content/user/id")).toBeTypeOf("string");
  const rules = valueAt(interaction, "/response/matchingRules/body");
  expect(Object.keys(isJsonObject(rules) ? rules : {})).not.toContain("$.user.id");
});

test("each interaction has the provider state before its step, with the scenario's name if there is one", async () => {
  const { pact } = await pactOf("scenarios/execute-and-wait.arazzo.yaml");
  const list = pact["interactions"];
  const states = (Array.isArray(list) ? list : []).map((each) => valueAt(each, "/providerStates/0"));
  expect(states).toEqual([
    { name: "alice has signed an offer to carol" },
    { name: "alice has signed an offer to carol", params: { afterStep: "world" } },
    { name: "alice has signed an offer to carol", params: { afterStep: "again" } },
  ]);
  expect(await interactionOf("reassignment-by-steps.arazzo.yaml", 1)).toMatchObject({
    providerStates: [{ name: "the factory is being reassigned" }],
  });
});

test("drops optional members unless a condition compares them", async () => {
  const lookup = valueAt(await interactionOf("reassignment-by-steps.arazzo.yaml", 0), "/response/body/content");
  const contract = valueAt(lookup ?? null, "/choiceContext/disclosedContracts/0");
  expect(Object.keys(isJsonObject(contract) ? contract : {})).toEqual([
    "templateId",
    "contractId",
    "createdEventBlob",
    "synchronizerId",
  ]);
});
