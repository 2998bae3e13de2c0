import { expect, test } from "vitest";
import type { VerdictSummary } from "../../src/checker/engine/verdict.ts";
import type { Exchange } from "../../src/foundation/http/exchange.ts";
import { parseJson } from "../../src/foundation/json/json.ts";
import { decentralizedNamespaceOf } from "../../src/foundation/protobuf/fingerprint.ts";
import { recordedExchange } from "../../src/recordings/har/recorded-exchange.ts";
import { createRedactor, createRestorer } from "../../src/recordings/redaction/redactor.ts";
import { sampleOf } from "../_sample.ts";
import { ledgerErrorSample, lookupSample } from "../_sample-responses.ts";
import { scenarioFiles, scenarioOf } from "../_scenario.ts";
import { inferred, playing } from "./_inferred.ts";
import { checked, expectSameFindings, findings, profiles, written } from "./_redacted-findings.ts";
import { exchangeOf, json } from "./_replayed.ts";
import { trafficOf } from "./_scenario-traffic.ts";
import { decentralized, delegation, hostMapping, keyMapping, keyOf, signedBy } from "./_topology.ts";

/** The text of an entry, with its base64 values decoded as text and as hex. */
function withDecodedText(exchange: Exchange): string {
  const line = written(exchange);
  const decoded = [...line.matchAll(/[A-Za-z0-9+/_-]{16,}={0,2}/g)].map(([run]) => Buffer.from(run, "base64"));
  return [line, ...decoded.flatMap((bytes) => [bytes.toString("latin1"), bytes.toString("hex")])].join("\n");
}

test.each(sampleOf(scenarioFiles, 3))("%s has the same findings when it is redacted, in every profile", (file) =>
  expectSameFindings(file),
);

test.each(scenarioFiles)("redacting %s twice changes nothing, and --names restores the bodies", async (file) => {
  const traffic = await trafficOf(file, "canton-3.5");
  const redactor = createRedactor({ renamesUsers: true });
  const redacted = traffic.map(redactor.redact);
  const again = createRedactor({ renamesUsers: true });
  expect(redacted.map(again.redact).map(written)).toEqual(redacted.map(written));
  const same = createRedactor({ renamesUsers: true });
  expect(traffic.map(same.redact).map(written)).toEqual(redacted.map(written));
  const withoutTokens = createRedactor({ keepsIds: true });
  const bodies = (exchange: Exchange) =>
    [exchange.request, exchange.response].map((message) => message.body?.text() ?? "");
  expect(redacted.map(createRestorer(redactor.names())).map(bodies)).toEqual(
    traffic.map(withoutTokens.redact).map(bodies),
  );
});

test.each(scenarioFiles)("the redacted %s has no original identifiers", async (file) => {
  const traffic = await trafficOf(file, "canton-3.5");
  const redactor = createRedactor();
  const text = traffic.map(redactor.redact).map(withDecodedText).join("\n");
  const originals = redactor
    .names()
    .flatMap(({ kind, original }) =>
      kind === "offset" || original.startsWith("sha256:") || original.length < 32 ? [] : [original],
    );
  expect(originals.filter((original) => text.includes(original))).toEqual([]);
  expect(new Set(redactor.names().map(({ name }) => name)).size).toBe(redactor.names().length);
});

const isFailed = ({ outcome }: VerdictSummary["violations"][number]) => outcome === "FAIL";

test.each([
  ["lookup", lookupSample],
  ["ledger error", ledgerErrorSample],
])("the sample of a %s breaks no rule in releases, and has the same findings when it is redacted", (_, sample) => {
  const request = { method: "GET", url: "/v2/users", headers: {} };
  const exchange = recordedExchange(parseJson(JSON.stringify({ request, ...sample })));
  if (exchange === undefined) throw new Error("no exchange");
  const redactor = createRedactor();
  const redacted = redactor.redact(exchange);
  for (const profile of profiles) {
    const verdict = checked([exchange], profile);
    expect(findings(checked([redacted], profile))).toEqual(findings(verdict));
    if (profile !== "spec")
      expect([verdict.exchanges, verdict.failed, verdict.violations.filter(isFailed)]).toEqual([1, 0, []]);
  }
  expect(written(createRedactor().redact(redacted))).toBe(written(redacted));
  const ids = redactor.names().filter(({ original }) => original.length >= 32);
  expect(ids.length).toBeGreaterThan(1);
  expect(ids.filter(({ original }) => withDecodedText(redacted).includes(original))).toEqual([]);
  expect(withDecodedText(redacted)).not.toMatch(/DSO|app_user|sv::|global-domain|app-provider|create-license/);
});

test("an onboarding in any order is played from a redacted recording", async () => {
  const participant = "participant1::122056e00d8eef432e448963fb33d31cbc989835384ec290868e0a0f7573b254b1af";
  const owners = ["x", "y"].map(keyOf);
  const longKey = keyOf("long");
  const party = `joint::${decentralizedNamespaceOf(owners.map(({ fingerprint }) => fingerprint))}`;
  const transactions = [
    hostMapping(party, [{ id: participant }]),
    keyMapping(party, [longKey]),
    decentralized(owners, 2),
    ...owners.map((owner) => delegation(owner)),
  ];
  const allocation = {
    synchronizer: "global-domain::1220fa79dd1ee8fe25d601870c1b05bb634a8086134bfbe57f870549e2ddaca444e2",
    onboardingTransactions: transactions.map((transaction) => ({ transaction, signatures: [] })),
    multiHashSignatures: signedBy(longKey, ...owners),
  };
  const handler = playing(scenarioOf("decentralized-party.arazzo.yaml"), "canton-3.5");
  const requests = [
    json("POST", "/v2/parties/external/allocate", allocation),
    json("GET", `/v2/parties/${encodeURIComponent(party)}`),
    json("POST", "/v2/parties/external/allocate", { ...allocation, multiHashSignatures: signedBy(...owners) }),
  ];
  const recording: Exchange[] = [];
  for (const request of requests) recording.push({ ...exchangeOf(request, 200, ""), response: await handler(request) });
  expect(recording.map(({ response }) => response.type === "response" && response.status)).toEqual([200, 200, 400]);
  const redactor = createRedactor();
  const redacted = recording.map(redactor.redact);
  expect(withDecodedText(redacted[0] ?? exchangeOf(requests[0] ?? json("GET", ""), 0, ""))).not.toContain("longlong");
  expect((await inferred(redacted)).planned).toEqual([]);
});
