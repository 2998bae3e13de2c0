import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { exchangeOf } from "../../../test/_exchange.ts";
import type { HeaderList } from "../../foundation/http/header.ts";
import { loadSpec } from "../../foundation/spec/spec.ts";
import { checkExchange } from "../engine/checker.ts";

const spec = loadSpec({ ledger: "spec", registry: "spec" });
const page = '{"users":[],"nextPageToken":""}';
const json = ["Content-Type", "application/json"] as const;
const acceptsGzip = [["Accept-Encoding", "gzip"]] as const;

interface Bodies {
  readonly requestHeaders?: HeaderList;
  readonly requestBody?: string | Uint8Array;
  readonly headers?: HeaderList;
  readonly body?: string | Uint8Array;
}

/** The ids of the rules that fail for a list of users, or for a grant if there is a request body. */
function broken({ requestHeaders = [], requestBody, headers = [], body = page }: Bodies): readonly string[] {
  const isGrant = requestBody !== undefined;
  const exchange = exchangeOf({
    target: isGrant ? "/v2/users/a/rights" : "/v2/users",
    headers: requestHeaders,
    body: requestBody,
    responseHeaders: [json, ...headers],
    responseBody: isGrant ? '{"newlyGrantedRights":[]}' : body,
  });
  const verdict = checkExchange(spec, "release", exchange);
  return verdict.type === "checked"
    ? verdict.results.filter(({ outcome }) => outcome !== "PASS").map(({ rule }) => rule)
    : ["unsupported"];
}

test("skips a body that the recorder stored compressed, if the client accepted that encoding", () => {
  const compressed = { headers: [["Content-Encoding", "gzip"]] as const, body: gzipSync(page) };
  expect(broken({ ...compressed, requestHeaders: acceptsGzip })).toEqual([]);
  expect(broken(compressed)).toContain("body-schema");
});

test("checks a body that the recorder decompressed, whatever its Content-Length", () => {
  const headers = [
    ["Content-Encoding", "gzip"],
    ["Content-Length", "900"],
  ] as const;
  expect(broken({ requestHeaders: acceptsGzip, headers })).toEqual([]);
  expect(broken({ requestHeaders: acceptsGzip, headers, body: '{"users":{}}' })).toEqual(["body-schema"]);
});

test("skips a body that the recorder truncated, and checks a truncated body of the target", () => {
  const body = page.slice(0, 9);
  expect(broken({ headers: [["Content-Length", String(page.length)]], body })).toEqual([]);
  expect(broken({ headers: [["Content-Length", "9"]], body })).toEqual(["body-schema"]);
  expect(broken({ headers: [["Content-Length", "31"]], body: "" })).toEqual([]);
});

test.each<[string, HeaderList, string | Uint8Array, readonly string[]]>([
  ["cut", [["Content-Length", "40"]], '{"userId":"a","ri', []],
  ["stored compressed", [["Content-Encoding", "gzip"]], gzipSync('{"userId":"a"}'), []],
  ["sent that way", [["Content-Length", "17"]], '{"userId":"a","ri', ["malformed-request-refused"]],
])("checks what is known of a request whose body was %s", (_name, requestHeaders, requestBody, rules) => {
  expect(broken({ requestHeaders, requestBody })).toEqual(rules);
});
