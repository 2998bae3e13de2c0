import { expect, test } from "vitest";
import { exchangeOf } from "../../../test/_exchange.ts";
import { createUnderstudy, startUnderstudy } from "../library/start-understudy.ts";
import { toConform } from "./conform.ts";

const headers = { Authorization: "Bearer any" };

const exchangeWith = (target: string, status: number, contentType: string, responseBody: string) =>
  exchangeOf({ target, status, responseHeaders: [["Content-Type", contentType]], responseBody });

test("checks an exchange, a list of exchanges, a journal and a stub", async () => {
  const good = exchangeWith("/v2/users", 200, "application/json", '{"users":[],"nextPageToken":""}');
  const bad = exchangeWith("/v2/users", 400, "application/json", '"INVALID_ARGUMENT: no"');
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

test("lists each broken rule with its pointer and its section of the spec", async () => {
  const users = exchangeWith("/v2/users", 200, "application/json", '{"users":[{"id":5}]}');
  const text = exchangeWith("/v2/idps", 200, "text/plain", "no");
  const message = (await toConform([users, text], { profile: "spec" })).message();
  expect(message).toContain("expected 2 responses to conform to the spec, but 2 do not:");
  expect(message).toContain(`  body-schema: getV2Users 200
    expected  /users/0/id must be string
    actual    5
    at        /users/0/id
    spec      §4`);
  expect(message).toContain("media-type: getV2Idps 200");
});

test("known divergences of a release pass, and fail with strict", async () => {
  const refusal =
    '{"code":"NA","cause":"A security-sensitive error has been received","correlationId":null,"traceId":null,"context":{},"resources":[],"errorCategory":-1,"grpcCodeValue":16,"retryInfo":null,"definiteAnswer":null}';
  const redacted = exchangeWith("/v2/idps", 401, "application/json", refusal);
  expect((await toConform(redacted, { profile: "canton-3.5" })).pass).toBe(true);
  expect((await toConform(redacted, { profile: "canton-3.5", strict: true })).pass).toBe(false);
  // @ts-expect-error Unknown profile.
  await expect(toConform(redacted, { profile: "canton-9" })).rejects.toThrow('unknown ledger profile "canton-9"');
});

test("a response that cannot be checked does not pass", async () => {
  expect((await toConform([])).message()).toBe("expected at least one response to check, but got none");
  const elsewhere = await toConform(exchangeWith("/elsewhere", 200, "text/html", ""));
  expect([elsewhere.pass, elsewhere.message()]).toEqual([
    false,
    "the response cannot be checked: the spec has no operation GET /elsewhere",
  ]);
});

test.each<readonly [unknown, unknown, string]>([
  [undefined, {}, "but received undefined."],
  ["GET /v2/users", {}, 'but received "GET /v2/users".'],
  [[{ status: 200 }], {}, "but received a list."],
  [Promise.resolve(), {}, "but received a promise. Await it first."],
  [[], { profil: "canton-3.5" }, 'unknown option "profil". Did you mean "profile"?'],
  [[], { strict: "yes" }, 'option strict: "yes" is not a boolean. Use true or false.'],
])("refuses %j with %j", async (received, options, message) => {
  // As a program without types passes them.
  await expect(Reflect.apply(toConform, undefined, [received, options])).rejects.toThrow(message);
});

test("checks a Response of another fetch implementation, and asks for a missing method", async () => {
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
    /the spec has no operation GET .*\. If the method was not GET, pass it: \{ method: "POST" \}$/,
  );
  expect(await checked({ method: "POST" })).toContain("body-schema: getTransferFactory 200");
});

test("checks a Response by its URL and the method given, and leaves its body unread", async () => {
  await using understudy = await startUnderstudy();
  const page = await fetch(`${understudy.ledgerUrl}/v2/users`, { headers });
  expect((await toConform(page)).pass).toBe(true);
  expect(await page.text()).toContain("alice");
  await expect(toConform(page)).rejects.toThrow("is already read");
  const body = JSON.stringify({ userId: "alice", rights: [] });
  const sent = { method: "POST", headers: { ...headers, "Content-Type": "application/json" }, body };
  const grant = await fetch(`${understudy.ledgerUrl}/v2/users/alice/rights`, sent);
  expect((await toConform(grant.clone(), { method: "post", requestBody: body })).pass).toBe(true);
  const local = await createUnderstudy().fetch("/v2/users", { headers });
  await expect(toConform(local)).rejects.toThrow("has no URL");
});
