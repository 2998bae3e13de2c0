import { expect, test } from "vitest";
import type { Exchange } from "../../foundation/http/exchange.ts";
import { createUnderstudy, startUnderstudy } from "../library/start-understudy.ts";
import { toConform } from "./conform.ts";

const headers = { Authorization: "Bearer any" };

function responded(target: string, status: number, contentType: string, body: string): Exchange {
  return {
    startedAt: "2026-01-01T00:00:00.000Z",
    durationMs: 1,
    request: { method: "GET", target, headers: [], body: new Uint8Array() },
    response: {
      type: "response",
      status,
      headers: [["Content-Type", contentType]],
      body: new TextEncoder().encode(body),
    },
  };
}

test("an exchange, a list of them, a journal and a stub are checked", async () => {
  const good = responded("/v2/users", 200, "application/json", '{"users":[],"nextPageToken":""}');
  const bad = responded("/v2/users", 400, "application/json", '"INVALID_ARGUMENT: no"');
  const passes = async (received: Parameters<typeof toConform>[0]) => (await toConform(received)).pass;
  expect([await passes(good), await passes([good, bad]), await passes({ journal: [bad] })]).toEqual([
    true,
    false,
    false,
  ]);
  const understudy = createUnderstudy({ profile: "canton-3.5" });
  await understudy.fetch("/v2/users?pageSize=-1", { headers });
  expect(await passes(understudy)).toBe(true);
});

test("each broken rule is told with its place and section", async () => {
  const users = responded("/v2/users", 200, "application/json", '{"users":[{"id":5}]}');
  const text = responded("/v2/idps", 200, "text/plain", "no");
  const message = (await toConform([users, text], { profile: "spec" })).message();
  expect(message).toContain("expected 2 answers to keep the contract; 2 break it:");
  expect(message).toContain(`  body-schema: getV2Users 200
    expected  /users/0/id must be string
    came      5
    at        /users/0/id
    section   4 of the spec`);
  expect(message).toContain("media-type: getV2Idps 200");
});

test("known divergences of a release pass, and fail by the letter", async () => {
  const refusal =
    '{"code":"NA","cause":"A security-sensitive error has been received","correlationId":null,"traceId":null,"context":{},"resources":[],"errorCategory":-1,"grpcCodeValue":16,"retryInfo":null,"definiteAnswer":null}';
  const redacted = responded("/v2/idps", 401, "application/json", refusal);
  expect((await toConform(redacted, { profile: "canton-3.5" })).pass).toBe(true);
  expect((await toConform(redacted, { profile: "canton-3.5", level: "spec" })).pass).toBe(false);
  await expect(toConform(redacted, { profile: "canton-9" })).rejects.toThrow('there is no ledger profile "canton-9"');
});

test("what nobody can judge does not pass", async () => {
  expect((await toConform([])).message()).toBe("there is no response to check");
  const elsewhere = await toConform(responded("/elsewhere", 200, "text/html", ""));
  expect([elsewhere.pass, elsewhere.message()]).toEqual([
    false,
    "the response cannot be checked: GET /elsewhere is no operation of the contract",
  ]);
});

test.each<readonly [unknown, unknown, string]>([
  [undefined, {}, "was given something else"],
  ["GET /v2/users", {}, "was given something else"],
  [[{ status: 200 }], {}, "was given something else"],
  [Promise.resolve(), {}, "was given a promise; await it first"],
  [[], { profil: "canton-3.5" }, 'there is no setting "profil". Did you mean "profile"?'],
  [[], { level: "documnt" }, 'there is no level "documnt". Did you mean "document"?'],
])("says what it cannot judge: %j with %j", async (received, options, message) => {
  // As a program without types gives them.
  await expect(Reflect.apply(toConform, undefined, [received, options])).rejects.toThrow(message);
});

test("a response of another fetch is checked all the same, and who forgot its method is reminded", async () => {
  const text = JSON.stringify({ factoryId: "" });
  const foreign = {
    url: "http://registry/registry/transfer-instruction/v2/transfer-factory",
    status: 200,
    headers: [["Content-Type", "application/json"]],
    bodyUsed: false,
    clone: () => foreign,
    arrayBuffer: async () => new TextEncoder().encode(text).buffer,
  };
  const checked = async (options: object) => (await Reflect.apply(toConform, undefined, [foreign, options])).message();
  expect(await checked({})).toMatch(
    /is no operation of the contract\. Was it another method than GET\? Give it: \{ method: "POST" \}$/,
  );
  expect(await checked({ method: "POST" })).toContain("body-schema: getTransferFactory 200");
});

test("a response of fetch is checked by its URL and by the method that is told, and can still be read", async () => {
  await using understudy = await startUnderstudy();
  const page = await fetch(`${understudy.ledgerUrl}/v2/users`, { headers });
  expect((await toConform(page)).pass).toBe(true);
  expect(await page.text()).toContain("alice");
  await expect(toConform(page)).rejects.toThrow("was read before");
  const body = JSON.stringify({ userId: "alice", rights: [] });
  const sent = { method: "POST", headers: { ...headers, "Content-Type": "application/json" }, body };
  const grant = await fetch(`${understudy.ledgerUrl}/v2/users/alice/rights`, sent);
  expect((await toConform(grant.clone(), { method: "post", requestBody: body })).pass).toBe(true);
  const local = await createUnderstudy().fetch("/v2/users", { headers });
  await expect(toConform(local)).rejects.toThrow("does not tell its URL");
});
