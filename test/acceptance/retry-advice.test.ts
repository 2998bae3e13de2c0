import { expect, test } from "vitest";
import { createUnderstudy } from "../../src/index.ts";

const headers = { Authorization: "Bearer any", "Content-Type": "application/json" };
const operation = "postV2Interactive-submissionExecuteandwait";
const party = "alice::12202bd806c97f0e00af1a1fc3328fa763a9269723c8db8fac4f93af71db186d6e90";
const signature = {
  format: "SIGNATURE_FORMAT_CONCAT",
  signature: "AAAA",
  signedBy: "1220ab",
  signingAlgorithmSpec: "SIGNING_ALGORITHM_SPEC_ED25519",
};
const submission = {
  preparedTransaction: "YWxpY2Ugb2ZmZXJzIGNhcm9sIDEw",
  partySignatures: { signatures: [{ party, signatures: [signature] }] },
  submissionId: "first",
  hashingSchemeVersion: "HASHING_SCHEME_VERSION_V2",
  deduplicationPeriod: { Empty: {} },
};

/** Executes the same submission twice. Returns the reason of the second response, and the advice about the submission id. */
async function twice(fault: object): Promise<readonly (string | undefined)[]> {
  const understudy = createUnderstudy({ scenario: "scenarios/execute-and-wait.arazzo.yaml", profile: "canton-3.5" });
  understudy.fault(operation, fault);
  const execute = () =>
    understudy
      .fetch("/v2/interactive-submission/executeAndWait", { method: "POST", headers, body: JSON.stringify(submission) })
      .catch(() => undefined);
  await execute();
  const again = await execute();
  const finding = understudy.clientFindings().find(({ rule }) => rule === "submission-id-per-attempt");
  return [String(again?.status), again?.headers.get("Understudy-Reason") ?? "", finding?.advice];
}

test("a repeated submission that took effect before a reset is advised to take the result", async () => {
  const [status, reason, advice] = await twice({ after: { reset: true } });
  expect(status).toBe("409");
  expect(reason).toBe(
    'DUPLICATE_COMMAND: A command with the given command id has already been successfully processed (submission id "first", offset 43). It took effect once: take its result, and do not send it again with a new command id.',
  );
  expect(advice).toMatch(/^An earlier attempt succeeded, so do not send the transaction again/);
});

test("a repeated submission whose effect is not known is advised to keep the prepared transaction", async () => {
  const [status, , advice] = await twice({ instead: { reset: true } });
  expect(status).toBe("200");
  expect(advice).toMatch(/^The effect of the previous attempt is not known. Repeat the same prepared transaction/);
});

test("a repeated submission without effect is advised to have a new submission id", async () => {
  const [status, , advice] = await twice({ instead: { error: "INVALID_ARGUMENT" } });
  expect(status).toBe("200");
  expect(advice).toMatch(/^Generate a new UUID/);
});
