import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { contracts } from "../../src/foundation/spec/contracts.ts";
import { serving, temporaryFolder, understudy } from "./_command-line.ts";

interface Entry {
  readonly method?: string;
  readonly path: string;
  readonly sent?: object;
  readonly status?: number;
  readonly body: string;
}

/** A HAR file with one entry per exchange, a second apart. */
function har(...exchanges: readonly Entry[]): string {
  const entries = exchanges.map(({ method = "GET", path, sent, status = 200, body }, index) => ({
    startedDateTime: `2026-01-01T00:00:0${index}.000Z`,
    time: 1,
    request: {
      method,
      url: `http://127.0.0.1:7575${path}`,
      headers: [{ name: "Authorization", value: "Bearer any" }, ...(sent === undefined ? [] : json)],
      ...(sent === undefined ? {} : { postData: { mimeType: "application/json", text: JSON.stringify(sent) } }),
    },
    response: { status, headers: json, content: { mimeType: "application/json", text: body } },
  }));
  const file = join(temporaryFolder(), "traffic.har");
  writeFileSync(file, JSON.stringify({ log: { version: "1.2", creator: { name: "a test" }, entries } }));
  return file;
}

const json = [{ name: "Content-Type", value: "application/json" }];
const rights = { method: "POST", path: "/v2/users/alice/rights" };

async function opinionOn(file: string) {
  const { exitCode, out } = await understudy([
    "check",
    file,
    "--profile",
    "spec",
    "--exclusive",
    "--second-opinion",
    "--json",
  ]);
  const events = out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  return { exitCode, opinion: events.find(({ event }) => event === "second-opinion") };
}

test("check --second-opinion counts a fault that Prism and the checker find, and lists it for none of them", async () => {
  const { exitCode, opinion } = await opinionOn(har({ path: "/v2/packages/a/status", body: "{}" }));
  const none = { exchanges: 0, findings: [] };
  expect(opinion).toMatchObject({ exchanges: 1, both: 1, onlyPrism: none, onlyChecker: none });
  expect(exitCode).toBe(1);
});

test("check --second-opinion lists a fault in a sequence as one that only Understudy finds", async () => {
  const page = '{"users":[{"id":"alice"}],"nextPageToken":"a"}';
  const { opinion } = await opinionOn(
    har({ path: "/v2/users", body: page }, { path: "/v2/users?pageToken=a", body: page }),
  );
  expect(opinion).toMatchObject({ exchanges: 2, both: 0, onlyPrism: { exchanges: 0 } });
  expect(opinion.onlyChecker.findings.map(({ finding }: { finding: string }) => finding)).toContain(
    "pages-disjoint FAIL",
  );
});

test("check --second-opinion lists an integer that Prism cannot represent, and the exit code stays 0", async () => {
  const sent = { preparedTransaction: "", partySignatures: {}, submissionId: "a", hashingSchemeVersion: "a" };
  const body = `{"updateId":"1220${"ab".repeat(32)}","completionOffset":9223372036854775807}`;
  const path = "/v2/interactive-submission/executeAndWait";
  const { exitCode, opinion } = await opinionOn(har({ method: "POST", path, sent, body }));
  expect(opinion.onlyPrism).toMatchObject({ exchanges: 1, findings: [{ finding: "response.body maximum", count: 1 }] });
  expect(exitCode).toBe(0);
});

test("check --second-opinion compares accepted invalid requests, and ignores refused ones", async () => {
  const invalid = { ...rights, sent: { userId: 5 } };
  const refused = await opinionOn(
    har({ ...invalid, status: 404, body: '{"code":"A","cause":"b","context":{},"errorCategory":11}' }),
  );
  expect(refused.opinion).toMatchObject({ both: 0, onlyPrism: { exchanges: 0 } });
  const accepted = await opinionOn(har({ ...invalid, body: "{}" }));
  expect(accepted.opinion).toMatchObject({ both: 1, onlyPrism: { exchanges: 0 } });
});

test("check --second-opinion compares the exchanges of probes, too", async () => {
  const { url } = await serving([]);
  const { out } = await understudy([
    "check",
    "--ledger",
    url,
    "--profile",
    "spec",
    "--only",
    "identity-providers",
    "--token",
    "any-token",
    "--second-opinion",
  ]);
  expect(out).toMatch(
    /^Second opinion: \d+ exchanges? compared with Prism\. Findings of both in 0, of Prism only in 0, /m,
  );
});

test("Prism changes no description of the spec", async () => {
  const before = JSON.stringify(contracts);
  for (const profile of ["spec", "canton-3.5"])
    await understudy([
      "check",
      har({ path: "/v2/users", body: '{"users":[]}' }),
      "--profile",
      profile,
      "--second-opinion",
    ]);
  expect(JSON.stringify(contracts)).toBe(before);
});
