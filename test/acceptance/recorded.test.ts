import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createUnderstudy } from "../../src/index.ts";
import { root, temporaryFolder, understudy } from "./_command-line.ts";

const recording = join(root, "../shared/samples/registry/transfer-factory-v2-offer.json");
const hasRecording = existsSync(recording);

test(`a recorded lookup becomes a fixture whose stub answers the same${hasRecording ? "" : " (the folder of samples is absent: not read)"}`, async () => {
  if (!hasRecording) return expect(hasRecording).toBe(false);
  const folder = temporaryFolder();
  const made = await understudy(["fixture", recording, "--out", "registry.yaml"], { folder });
  expect(made).toMatchObject({ exitCode: 0, error: "wrote registry.yaml\n" });
  expect((await understudy(["validate", "registry.yaml"], { folder })).out).toBe("registry.yaml: fine\n");
  writeFileSync(join(folder, "scenario.arazzo.yaml"), scenarioText);
  const { request, response } = JSON.parse(readFileSync(recording, "utf8"));
  await using stub = createUnderstudy({ scenario: join(folder, "scenario.arazzo.yaml"), profile: "canton-3.5" });
  const answer = await stub.fetch(new URL(new URL(request.url).pathname, stub.registryUrl), {
    method: "POST",
    headers: request.headers,
    body: JSON.stringify(request.body),
  });
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, response.headers["Content-Type"]]);
  expect(await answer.json()).toEqual(response.body);
  const checked = await understudy(["check", recording, "--json"]);
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
