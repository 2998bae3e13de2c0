import { expect, test } from "vitest";
import { Body } from "../../foundation/http/body.ts";
import type { HeaderList } from "../../foundation/http/header.ts";
import type { Request } from "../../foundation/http/request.ts";
import { textResponse } from "../../foundation/http/response.ts";
import { accessBy, type ControlAccess, guarded, isControl, loopbackAccess, refusalOf } from "./access.ts";
import { MemoryControlTokens } from "./memory-control-tokens.ts";
import { cookieOf, tokenAccess } from "./token-check.ts";

const token = "a-token-that-is-hard-to-guess";
const beyond: ControlAccess = { hosts: new Set(["stub.internal"]), isAnyAddress: true };
const locked: ControlAccess = { ...beyond, token: tokenAccess(token) };

const request = (headers: HeaderList, method = "GET", body = ""): Request => ({
  method,
  target: "/__understudy/worlds",
  headers,
  body: new Body(body),
});
const status = (access: ControlAccess, headers: HeaderList, method = "GET", body = "") =>
  refusalOf(request(headers, method, body), access)?.status ?? 200;

test.each([
  ["127.0.0.1", 200, 200],
  ["127.0.0.1:7575", 200, 200],
  ["127.9.8.7:1", 200, 200],
  ["localhost:7575", 200, 200],
  ["LocalHost", 200, 200],
  ["[::1]:7575", 200, 200],
  ["[::1]", 200, 200],
  ["stub.internal:80", 403, 200],
  ["Stub.Internal", 403, 200],
  ["10.1.2.3:7575", 403, 200],
  ["[fd00::1]:7575", 403, 200],
  ["a.example", 403, 403],
  ["127.0.0.1.a.example", 403, 403],
  ["127.0.0.1a", 403, 403],
  ["localhost.", 403, 403],
  ["localhost.a.example", 403, 403],
  ["localhost:", 403, 403],
  ["localhost:7575x", 403, 403],
  ["localhost:757575", 403, 403],
  ["localhost:80:80", 403, 403],
  ["user@localhost", 403, 403],
  ["localhost/", 403, 403],
  ["localhost, a.example", 403, 403],
  [" ", 403, 403],
  ["", 403, 403],
  ["::1", 403, 403],
  ["[::1", 403, 403],
  ["[::1%25lo]", 403, 403],
  ["[:::::]", 403, 403],
  ["127.1", 403, 403],
  ["2130706433", 403, 403],
  ["0x7f.0.0.1", 403, 403],
  ["127.0.0.256", 403, 403],
  ["127.00.0.1", 403, 403],
  ["xn--lcalhost-v5a", 403, 403],
  ["lоcalhost", 403, 403],
])("host %j gets %i on loopback and %i on another address", (host, onLoopback, elsewhere) => {
  expect([status(loopbackAccess, [["Host", host]]), status(beyond, [["Host", host]])]).toEqual([onLoopback, elsewhere]);
});

test("refuses a request without a host or with two hosts", () => {
  expect(status(loopbackAccess, [])).toBe(403);
  expect(
    status(loopbackAccess, [
      ["Host", "localhost"],
      ["host", "localhost"],
    ]),
  ).toBe(403);
});

test.each([
  ["http://127.0.0.1:7575", 200],
  ["http://localhost:3000", 403],
  ["http://127.0.0.1:3000", 403],
  ["https://[::1]", 403],
  ["http://named.internal:3000", 200],
  ["HTTP://localhost", 403],
  ["null", 403],
  ["", 403],
  ["http://a.example", 403],
  ["http://localhost.a.example", 403],
  ["http://a.example/localhost", 403],
  ["http://user@localhost", 403],
  ["http://localhost:80:80", 403],
  ["file://", 403],
  ["chrome-extension://localhost", 403],
  ["http://10.1.2.3:7575", 403],
  ["http://localhost http://a.example", 403],
])("a page with origin %j gets %i", (origin, expected) => {
  const headers: HeaderList = [
    ["Host", "127.0.0.1:7575"],
    ["Origin", origin],
  ];
  expect(status(accessBy("named.internal"), headers)).toBe(expected);
});

test("accepts an origin that equals the host, and refuses another address or port", () => {
  const from = (origin: string) =>
    status(beyond, [
      ["Host", "10.1.2.3:7575"],
      ["Origin", origin],
    ]);
  expect([from("http://10.1.2.3:7575"), from("http://10.1.2.3:80"), from("http://10.1.2.4:7575")]).toEqual([
    200, 403, 403,
  ]);
});

test("refuses two origins", () => {
  const twice: HeaderList = [
    ["Host", "localhost"],
    ["Origin", "http://localhost"],
    ["Origin", "http://localhost"],
  ];
  expect(status(loopbackAccess, twice)).toBe(403);
});

test.each([
  ["application/json", 200],
  ["application/json; charset=utf-8", 200],
  ["text/plain", 415],
  ["application/x-www-form-urlencoded", 415],
  ["multipart/form-data; boundary=a", 415],
])("a body of %s from a page gets %i; other clients may send any media type", (contentType, expected) => {
  const headers: HeaderList = [
    ["Host", "localhost"],
    ["Content-Type", contentType],
  ];
  const fromPage: HeaderList = [...headers, ["Origin", "http://localhost"]];
  const fetched: HeaderList = [...headers, ["Sec-Fetch-Site", "same-origin"]];
  expect(status(loopbackAccess, fromPage, "POST", "{}")).toBe(expected);
  expect(status(loopbackAccess, fetched, "POST", "{}")).toBe(expected);
  expect(status(loopbackAccess, headers, "POST", "{}")).toBe(200);
});

const host: HeaderList[number] = ["Host", "127.0.0.1:7575"];
const bearer: HeaderList[number] = ["Authorization", `Bearer ${token}`];
const cookie: HeaderList[number] = ["Cookie", `a=b; understudy-control-7575=${cookieOf(token)}`];

test.each<[string, number, HeaderList]>([
  ["no token", 401, [host]],
  ["the token", 200, [host, bearer]],
  ["the token under a scheme in lower case", 200, [host, ["authorization", `bearer ${token}`]]],
  ["another token", 401, [host, ["Authorization", `Bearer ${token}x`]]],
  ["the beginning of the token", 401, [host, ["Authorization", `Bearer ${token.slice(0, -1)}`]]],
  ["an empty token", 401, [host, ["Authorization", "Bearer "]]],
  ["the token without a scheme", 401, [host, ["Authorization", token]]],
  ["the token as basic credentials", 401, [host, ["Authorization", `Basic ${btoa(`a:${token}`)}`]]],
  ["the token twice", 401, [host, bearer, bearer]],
  ["the cookie", 200, [host, cookie]],
  ["the token in the place of the cookie", 401, [host, ["Cookie", `understudy-control-7575=${token}`]]],
  ["the cookie in the place of the token", 401, [host, ["Authorization", `Bearer ${cookieOf(token)}`]]],
  ["the cookie of another port", 401, [host, ["Cookie", `understudy-control-7576=${cookieOf(token)}`]]],
  ["a cookie whose name ends alike", 401, [host, ["Cookie", `x-understudy-control-7575=${cookieOf(token)}`]]],
  ["the cookie, and a wrong token", 401, [host, cookie, ["Authorization", "Bearer x"]]],
  ["the cookie from the page", 200, [host, cookie, ["Origin", "http://127.0.0.1:7575"]]],
  ["the cookie from a page of another port", 403, [host, cookie, ["Origin", "http://127.0.0.1:3000"]]],
  ["the token from a page of another port", 403, [host, bearer, ["Origin", "http://127.0.0.1:3000"]]],
  ["the token under a foreign name", 403, [["Host", "a.example"], bearer]],
])("%s gets %i", (_name, expected, headers) => {
  expect(status(locked, headers)).toBe(expected);
});

test.each<[string, number, HeaderList]>([
  ["no origin", 401, []],
  ["the page's own origin", 200, [["Origin", "http://127.0.0.1:7575"]]],
  ["the origin of another port", 403, [["Origin", "http://127.0.0.1:3000"]]],
  ["Sec-Fetch-Site same-origin", 200, [["Sec-Fetch-Site", "same-origin"]]],
  ["Sec-Fetch-Site same-site", 401, [["Sec-Fetch-Site", "same-site"]]],
])("a change with the cookie and %s gets %i", (_name, expected, headers) => {
  expect(status(locked, [host, cookie, ...headers], "POST")).toBe(expected);
});

const granted = () => textResponse(299, "text/plain", "let in");

/** The response of a guarded server to a target; 299 if access was granted. */
async function responded(target: string, headers: HeaderList = [host], method = "GET") {
  const inner = () => textResponse(299, "text/plain", "let in");
  const response = await guarded(locked, inner, inner)({ ...request(headers, method), target });
  return { status: response.status, headers: new Map(response.headers), text: response.body.text() };
}

test("a browser that opens the page with the token gets a cookie and a redirect without the token", async () => {
  const entered = await responded(`/__understudy/?token=${token}`);
  expect([entered.status, entered.headers.get("Location"), entered.headers.get("Set-Cookie")]).toEqual([
    303,
    "/__understudy/",
    `understudy-control-7575=${cookieOf(token)}; HttpOnly; SameSite=Strict; Path=/__understudy`,
  ]);
  expect((await responded(`/__understudy/?token=${token}x`)).status).toBe(401);
  expect((await responded(`/__understudy/?token=${token}&token=${token}`)).status).toBe(401);
  expect((await responded(`/__understudy/?token=${token}`, [["Host", "a.example"]])).status).toBe(403);
  expect((await responded(`/__understudy/?token=${token}`, [host], "POST")).status).toBe(401);
  expect((await responded(`/__understudy/worlds?token=${token}`)).status).toBe(401);
});

test("a refused request gets the same 401 on every path, with instructions", async () => {
  const [there, nowhere] = [await responded("/__understudy/worlds"), await responded("/__understudy/nothing?a=b")];
  expect(nowhere).toEqual(there);
  expect(there.headers.get("WWW-Authenticate")).toBe('Bearer realm="understudy-control"');
  expect(there.text).toContain("Authorization: Bearer TOKEN");
});

test.each([
  ["/__understudy", true],
  ["/__understudy/", true],
  ["/__understudy?a", true],
  ["/__understudy/worlds", true],
  ["/__understudyx/worlds", false],
  ["//__understudy/worlds", false],
  ["/%5F_understudy/worlds", false],
  ["/w/a/__understudy/worlds", false],
  ["http://localhost/__understudy/worlds", false],
  ["/__UNDERSTUDY/worlds", false],
])("%s is for the control API: %s", (target, expected) => {
  expect(isControl(target)).toBe(expected);
});

test("named tokens are read only for requests that the token of the server does not admit; without their store these get 503", async () => {
  let reads = 0;
  const kept = new MemoryControlTokens(() => 0);
  const list = async () => {
    reads += 1;
    throw new Error("the store does not respond");
  };
  const named = { kept, newToken: () => "", read: list };
  const handler = guarded({ ...locked, named }, granted, granted);
  const statusOf = async (headers: HeaderList, target = "/__understudy/worlds") =>
    (await handler({ ...request(headers), target })).status;
  expect(await statusOf([host, bearer])).toBe(299);
  expect(await statusOf([host, cookie])).toBe(299);
  expect(
    await statusOf([
      ["Host", "a.example"],
      ["Authorization", "Bearer x"],
    ]),
  ).toBe(403);
  expect(await statusOf([host], `/__understudy/?token=${token}`)).toBe(303);
  expect(await statusOf([], "/v2/users")).toBe(299);
  expect(reads).toBe(0);
  expect(await statusOf([host, ["Authorization", "Bearer x"]])).toBe(503);
  expect(await statusOf([host], "/__understudy/?token=x")).toBe(503);
  expect(reads).toBe(2);
});

test("the cookie is Secure over https and does not contain the token", async () => {
  const target = `/__understudy/?token=${token}`;
  const response = await guarded(
    { ...locked, isSecure: true },
    granted,
    granted,
  )({
    ...request([host]),
    target,
  });
  const cookies = new Map(response.headers).get("Set-Cookie");
  expect(cookies).toMatch(/; Path=\/__understudy; Secure$/);
  expect(cookies).not.toContain(token);
});

const mode = (text: string): HeaderList[number] => ["Sec-Fetch-Mode", text];

test.each<[string, string, string, HeaderList, number]>([
  ["GET", "/__understudy/events", "cross-site", [mode("no-cors")], 403],
  ["GET", "/__understudy/events", "cross-site", [mode("navigate")], 403],
  ["GET", "/__understudy/events", "Cross-Site", [], 403],
  ["GET", "/__understudy/events", "anything else", [], 403],
  ["GET", "/__understudy/events", "same-origin", [], 299],
  ["GET", "/__understudy/events", "same-site", [], 299],
  ["GET", "/__understudy/events", "none", [], 299],
  ["GET", "/__understudy/worlds", "cross-site", [mode("cors"), ["Origin", "http://127.0.0.1:7575"]], 299],
  ["GET", "/__understudy/", "cross-site", [mode("navigate")], 299],
  ["GET", "/__understudy", "cross-site", [mode("navigate")], 299],
  ["GET", "/__understudy/", "cross-site", [mode("no-cors")], 403],
  ["POST", "/__understudy/worlds/default/reset", "CROSS-SITE", [], 403],
  ["POST", "/__understudy/worlds/default/reset", "cross-site", [["Origin", "http://localhost:3000"]], 403],
])("%s %s from a page that is %s, with %j, gets %i", async (method, target, site, more, expected) => {
  const headers: HeaderList = [host, ["Sec-Fetch-Site", site], ...more];
  const response = await guarded(
    loopbackAccess,
    granted,
    granted,
  )({
    ...request(headers, method),
    target,
  });
  expect(response.status).toBe(expected);
});
