// Compiled, and not run, by test/acceptance/packed.deep.test.ts against the packed package: each use must compile unless it is marked as an error.
import {
  type CheckResult,
  type ClientRuleId,
  check,
  createUnderstudy,
  defineConfig,
  type ErrorCode,
  type Exchange,
  type JournalEntry,
  type LedgerPaths,
  type LedgerProfile,
  type OperationId,
  type PlanEntry,
  type RegistryPaths,
  type RegistryProfile,
  run,
  startUnderstudy,
  type Understudy,
  UnderstudyError,
  validate,
} from "canton-understudy";
import type { createUnderstudy as createInPage } from "canton-understudy/browser";
import { understudyHandlers } from "canton-understudy/msw";
import { assertReceived, understudyTest as nodeTest } from "canton-understudy/node-test";
import { expect, test, understudyTest } from "canton-understudy/vitest";

type Equal<Left, Right> = (<T>() => T extends Left ? 1 : 2) extends <T>() => T extends Right ? 1 : 2 ? true : false;
const holds = <Statement extends true>(): Statement | undefined => undefined;

async function library(): Promise<void> {
  await using understudy = await startUnderstudy({ scenario: new URL("file:///a.yaml"), port: 0 });
  holds<Equal<typeof understudy, Understudy>>();
  holds<Equal<typeof understudy.ledgerUrl, string>>();
  holds<Equal<typeof understudy.journal, readonly JournalEntry[]>>();
  holds<JournalEntry extends Exchange ? true : false>();
  holds<Equal<typeof understudy.clock.now, Date>>();
  holds<Equal<Awaited<ReturnType<typeof understudy.fetch>>, Response>>();
  using window = understudy.reassign("amulet-rules", { to: "synchronizer-b", for: "PT12S" });
  window.complete();
  const tapped = understudy.tap("alice::1220ab", "1", { instrument: "Amulet" });
  holds<Equal<typeof tapped.contractId, string>>();
  understudy.fault("getV2Users", {
    instead: { error: "SERVICE_NOT_RUNNING" },
    nth: 2,
    match: { query: { pageSize: 1 } },
  });
  understudy.fault("postV2Interactive-submissionExecuteandwait", "commit-then-timeout");
  const planned: PlanEntry = { at: "PT30S", deactivateUser: "alice" };
  understudy.plan(planned, { on: "getV2Idps", nth: 2, disconnect: "synchronizer-b" });
  holds<Equal<ReturnType<typeof createInPage>, Understudy>>();
  understudyHandlers(understudy, { ledgerUrl: "https://ledger.example.com" });

  defineConfig({
    serve: { profile: "canton-3.5", limits: { worldsMax: 10 } },
    check: { target: "a" },
    targets: { a: {} },
  });

  // @ts-expect-error Unknown member of a section.
  defineConfig({ serve: { prot: 1 } });
  // @ts-expect-error Unknown profile.
  defineConfig({ test: { profile: "canton-3.55" } });
  understudy.fault("getV2Users", { status: 503 });
  holds<Equal<typeof understudy.profile.ledger, LedgerProfile>>();
  holds<Equal<typeof understudy.profile.registry, RegistryProfile>>();
  holds<Equal<JournalEntry["operationId"], OperationId | undefined>>();
  holds<Equal<ReturnType<typeof understudy.clientFindings>[number]["rule"], ClientRuleId>>();
  const [entry] = understudy.journal;
  holds<Equal<NonNullable<typeof entry>["response"]["status"], number | undefined>>();
  const page: Users | undefined = entry?.response.body?.json<Users>();
  const { users, parties, packages, contracts, activeContracts } = understudy.world;
  const right = users[0]?.rights[0];
  if (right?.type === "CanActAs") holds<Equal<typeof right.party, string>>();
  const [assigned] = contracts.flatMap(({ assignment }) => (assignment.type === "assigned" ? [assignment] : []));
  holds<Equal<NonNullable<typeof assigned>["synchronizerId"], string>>();
  void [page, parties[0]?.isAllocated, packages[0]?.isUploaded, activeContracts[0]?.signatories];
  await using _open = await startUnderstudy({ host: "0.0.0.0", hostName: "stub", controlToken: "0123456789abcdef" });
  const headers = { Authorization: `Bearer ${await understudy.token({ user: "alice" })}` };
  await understudy.fetch("/v2/users", { headers });

  // @ts-expect-error Unknown operation.
  understudy.fault("getV2User", "commit-then-timeout");
  // @ts-expect-error Unknown error code.
  understudy.fault("getV2Users", { error: "SERVICE_NOT_RUNING" });
  // @ts-expect-error Unknown profile.
  createUnderstudy({ profile: "canton-3.7" });
  // @ts-expect-error The name of the user is missing.
  void understudy.token({ usr: "alice" });
  // @ts-expect-error No operation has this id.
  void (entry?.operationId === "getV2User");
  // @ts-expect-error A stub without a socket has no address.
  createUnderstudy({ host: "0.0.0.0" });
  // @ts-expect-error Unknown fault.
  understudy.fault("getV2Users", "commit-then-nothing");
  // @ts-expect-error A reassignment needs a target.
  understudy.reassign("amulet-rules", {});
  // @ts-expect-error An amount is a text.
  understudy.tap("alice::1220ab", 1);
  // @ts-expect-error The journal is read-only.
  understudy.journal.push(understudy.journal[0]);
  // @ts-expect-error Unknown option.
  createUnderstudy({ profil: "canton-3.5" });
  // @ts-expect-error Only the two functions create stubs.
  new Understudy();
}

async function programs(): Promise<void> {
  const checked = await check({ recordings: ["traffic.har"], profile: "canton-3.5", failOn: ["warning"] });
  holds<Equal<typeof checked, CheckResult>>();
  holds<Equal<typeof checked.hasPassed, boolean>>();
  await check({ ledger: "https://ledger.example.com", only: ["users-walk"], require: ["getV2Users", "all"] });
  const { runs } = await run({ scenarios: ["first.arazzo.yaml"], profile: "canton-3.5" });
  const outcome: "passed" | "handled" | "failed" | "not-run" | undefined = runs[0]?.steps[0]?.outcome;
  const { files } = await validate({ files: ["ledger.yaml"] }).catch((error: unknown) => {
    if (error instanceof UnderstudyError) holds<Equal<typeof error.type, "input" | "unreachable">>();
    throw error;
  });
  const line: number | undefined = files[0]?.problems[0]?.line;
  const code: ErrorCode = "SERVICE_NOT_RUNNING";
  void [outcome, line, code];

  // @ts-expect-error Unknown probe.
  await check({ ledger: "https://ledger.example.com", only: ["users-wlk"] });
  // @ts-expect-error Unknown profile.
  await run({ scenarios: ["first.arazzo.yaml"], profile: "canton-3.7" });
}

type Users = LedgerPaths["/v2/users"]["get"]["responses"][200]["content"]["application/json"];
type Lookup =
  RegistryPaths["/registry/transfer-instruction/v2/transfer-factory"]["post"]["responses"][200]["content"]["application/json"];
holds<Equal<Lookup["transferKind"], "self" | "direct" | "offer">>();
const page: Users = { users: [], nextPageToken: "" };
// @ts-expect-error An id is a string.
const misshapen: Users = { users: [{ id: 5 }] };
void [library, programs, page, misshapen];

test("fixtures and matchers are typed", async ({ understudy }) => {
  holds<Equal<typeof understudy, Understudy>>();
  expect(understudy).toHaveReceived({ operation: "getV2Users", query: { pageSize: "1" }, times: 1 });
  await expect(understudy).toConform({ strict: true });
  // @ts-expect-error Unknown operation.
  expect(understudy).toHaveReceived({ operation: "getV2User" });
  // @ts-expect-error Unknown member of an expected request.
  expect(understudy).toHaveReceived({ pth: "/v2/users" });
});
understudyTest({ profile: "canton-3.5", onUnexpected: "ignore", clientRules: "warnings", allow: ["json-bodies"] })(
  "with options",
  () => undefined,
);
// @ts-expect-error Unknown client rule.
understudyTest({ allow: ["json-bodys"] });
nodeTest()("node:test", ({ understudy, t }) => {
  t.diagnostic(understudy.ledgerUrl);
  assertReceived(understudy, { path: /users/ });
});
