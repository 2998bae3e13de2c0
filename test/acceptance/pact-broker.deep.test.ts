import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startUnderstudy } from "../../src/index.ts";
import { temporaryFolder, understudy } from "./_command-line.ts";
import { type FakeBroker, fakeBroker, pactWithStatus } from "./_pact-broker.ts";
import { runPact, sessionLimitMs } from "./_run-pact.ts";

test.each([
  ["fulfilled", 200, false, /^green$/],
  ["broken", 204, false, /^red/],
  ["broken, pending", 204, true, /^green$/],
])(
  "Pact's verifier and pact check ask a broker the same and publish the same for a %s Pact",
  async (_what, status, isPending, outcome) => {
    const [ours, theirs] = await Promise.all([1, 2].map(() => fakeBroker(pactWithStatus(status), { isPending })));
    if (ours === undefined || theirs === undefined) throw new Error("a broker is missing");
    const stub = await startUnderstudy();
    onTestFinished(() => stub.close());
    const results = join(temporaryFolder(), "results");
    await runPact("broker", stub.ledgerUrl, results, theirs.url);
    expect(JSON.parse(readFileSync(results, "utf8"))).toMatch(outcome);
    const words = [
      "--selector",
      '{"mainBranch":true}',
      "--enable-pending",
      "--branch",
      "main",
      "--publish",
      "canton-3.5",
    ];
    const { exitCode } = await understudy(["pact", "check", "--broker", ours.url, ...words]);
    expect(exitCode).toBe(outcome.test("green") ? 0 : 1);
    const requests = ({ received }: FakeBroker) => received.map(({ request }) => request);
    expect(requests(ours)).toEqual(requests(theirs));
    expect(ours.received[0]).toEqual(theirs.received[0]);
    const result = { success: status === 200, providerApplicationVersion: "canton-3.5" };
    for (const { received } of [ours, theirs]) expect(received.at(-1)?.body).toMatchObject(result);
  },
  sessionLimitMs,
);
