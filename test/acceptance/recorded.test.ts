import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Exchange } from "../../src/foundation/http/exchange.ts";
import { createUnderstudy } from "../../src/index.ts";
import { inferRegistryFixture } from "../../src/scenarios/inference/infer-registry-fixture.ts";
import { exchangeOf } from "../_exchange.ts";
import { lookupSample } from "../_sample-responses.ts";
import { transferLookup } from "../_transfer.ts";
import { root, temporaryFolder, understudy } from "./_command-line.ts";
import { stubOf, stubOver } from "./_stub.ts";

test("a recorded lookup becomes a fixture whose stub returns the same", async () => {
  const folder = temporaryFolder();
  const { request, response } = lookupSample;
  writeFileSync(join(folder, "offer.json"), JSON.stringify(lookupSample));
  const made = await understudy(["import", "offer.json", "--registry-only", "--out", "registry.yaml"], { folder });
  expect(made).toMatchObject({ exitCode: 0, error: "wrote registry.yaml\n" });
  expect((await understudy(["validate", "registry.yaml"], { folder })).out).toBe("registry.yaml: valid\n");
  writeFileSync(join(folder, "scenario.arazzo.yaml"), scenarioText);
  await using stub = createUnderstudy({ scenario: join(folder, "scenario.arazzo.yaml"), profile: "canton-3.5" });
  const received = await stub.fetch(new URL(new URL(request.url).pathname, stub.registryUrl), {
    method: "POST",
    headers: request.headers,
    body: JSON.stringify(request.body),
  });
  expect([received.status, received.headers.get("content-type")]).toEqual([200, response.headers["Content-Type"]]);
  expect(await received.json()).toEqual(response.body);
  const checked = await understudy(["check", "offer.json", "--json"], { folder });
  expect(checked.exitCode).toBe(0);
  expect(JSON.parse(checked.out)).toMatchObject({ exchanges: 1, known: 1, failed: 0, warned: 0 });
});

const scenarioText = `arazzo: 1.0.1
info: { title: Recorded, version: 1.0.0 }
sourceDescriptions: [{ name: registry, url: ${root}contracts/token-registry.yaml, type: openapi }]
workflows:
  - workflowId: recorded
    x-understudy:
      given: { ledger: ${root}fixtures/ledgers/two-synchronizers.yaml, registry: registry.yaml }
      clock: { start: 2026-08-23T06:15:38Z }
    steps: []
`;

const path = "/registry/transfer-instruction/v2/transfer-factory";
const lookup = (receiver: string, excludeDebugFields: boolean) => ({ ...transferLookup(receiver), excludeDebugFields });

const lookedUp = (body: unknown, status: number, responseBody: string): Exchange =>
  exchangeOf({ target: path, body, status, responseBody });

const ledger = "participantId: p::1220ab\nidentityProviders: [{ id: c, issuer: i, jwksUrl: j }]\n";

test.each([
  ["direct, with debug members", true, false],
  ["direct, without debug members", true, true],
  ["an offer, with debug members", false, false],
])(
  "a lookup at the stub that is %s becomes a fixture whose stub returns the same",
  async (_name, isDirect, isExcluded) => {
    const { world, ask } = stubOf("quickstart", "canton-3.5");
    const [approved = ""] = world.state.registry.preapprovals.nextHigherPair(undefined) ?? [];
    const body = lookup(isDirect ? approved : "carol::1220ab", isExcluded);
    const received = ask(path, { body });
    const result = await inferRegistryFixture([lookedUp(body, received.status, received.text)]);
    if (result.type === "refused") throw new Error(result.problem);
    expect(result.notExpressible).toEqual([]);
    const again = stubOver({ ledger, registry: JSON.stringify(result.fixture) }, "canton-3.5");
    expect(JSON.parse(again.ask(path, { body }).text)).toEqual(JSON.parse(received.text));
    expect([...again.world.state.registry.preapprovals.entries()].length).toBe(isDirect ? 1 : 0);
  },
);

test("a fixture is inferred from lookups only, and skips what a fixture cannot express", async () => {
  const disclosed = (contractId: string, more: object = {}) => ({
    templateId: "a:M:OpenMiningRound",
    contractId,
    createdEventBlob: "",
    synchronizerId: "s::1220ab",
    debugPackageName: "p",
    ...more,
  });
  const values = { known: { tag: "AV_ContractId", value: "01" }, lost: { tag: "AV_ContractId", value: "09" } };
  const text = JSON.stringify({
    factoryId: "07",
    transferKind: "offer",
    choiceContext: {
      choiceContextData: { values },
      disclosedContracts: [
        disclosed("01"),
        disclosed("02"),
        disclosed("03", { debugCreatedAt: "2026-01-01T00:00:00Z" }),
      ],
    },
  });
  const result = await inferRegistryFixture([lookedUp(lookup("bob::1220ab", true), 200, text)]);
  expect(result).toMatchObject({
    type: "inferred",
    fixture: {
      factory: { disclosed: "last", context: [{ key: "known", contracts: ["known"] }] },
      contracts: [
        { name: "known", packageName: "p", createdAt: "1970-01-01T00:00:00Z" },
        { name: "open-mining-round", contractId: "02" },
        { name: "open-mining-round-2", createdAt: "2026-01-01T00:00:00Z" },
      ],
    },
    notExpressible: [
      "the context key lost, whose value names no disclosed contract",
      "the disclosure of open-mining-round, which no context key names",
      "the disclosure of open-mining-round-2, which no context key names",
      "the factory, which is not disclosed",
    ],
  });
  expect((await inferRegistryFixture([lookedUp(lookup("bob::1220ab", true), 404, text)])).type).toBe("refused");
  expect((await inferRegistryFixture([lookedUp({}, 200, text)])).type).toBe("refused");
});
