import { Body } from "../../src/foundation/http/body.ts";
import type { Request } from "../../src/foundation/http/request.ts";
import { formatJson, isJsonObject, type Json, jsonOf } from "../../src/foundation/json/json.ts";
import type { Mangling } from "./_event.ts";

/** A changed request. The same request and mangling give the same bytes. */
export function mangled(request: Request, { how, at, pick }: Mangling): Request {
  switch (how) {
    case "method":
      return { ...request, method: oneOf(methods, pick) };
    case "path":
      return { ...request, target: inserted(request.target, oneOf(pathParts, pick), at) };
    case "target":
      return { ...request, target: oneOf(targets, pick)(request.target) };
    case "query":
      return {
        ...request,
        target: `${request.target}${request.target.includes("?") ? "&" : "?"}${oneOf(queries, pick)}`,
      };
    case "token":
      return withHeader(request, "Authorization", oneOf(tokens, pick));
    case "media-type":
      return withHeader(request, "Content-Type", oneOf(mediaTypes, pick));
    case "accept":
      return withHeader(request, "Accept", oneOf(mediaTypes, pick));
    case "header":
      return { ...request, headers: [...request.headers, oneOf(headers, pick)] };
    case "cut-body":
      return { ...request, body: new Body(request.body.bytes().slice(0, at % (request.body.size + 1))) };
    case "bytes":
      return { ...request, body: withBytes(request.body, at, oneOf(strangeBytes, pick)) };
    case "huge":
      return withText(request, oneOf(hugeBodies, pick)());
    case "deep":
      return withText(request, oneOf(deepBodies, pick)());
    case "no-json":
      return withText(request, oneOf(strangeTexts, pick));
    default:
      return withJson(request, (json) => changedAt(json, { how, at, pick }));
  }
}

const methods = ["GET", "POST", "PATCH", "PUT", "DELETE", "HEAD", "OPTIONS", "TRACE", "get", "X"];
const pathParts = ["/", "%2F", "%", "%zz", "..", "%00", "é", ";a=b", "//", "%E0%A4%A", " ", "{user-id}", "\\"];
const targets: readonly ((target: string) => string)[] = [
  (target) => `http://elsewhere.example${target}`,
  (target) => `${target}#fragment`,
  (target) => `${target}/`,
  () => "*",
  () => "",
  () => "/",
  () => "?",
  () => "/w/",
  () => "/w/none-such/v2/users",
  (target) => `/w/%64efault${target}`,
  (target) => target.slice(1),
  (target) => `${target}?${"x=y&".repeat(2000)}`,
];
const queries = [
  "pageSize=1&pageSize=2",
  "pageSize=",
  "pageSize=1e3",
  "pageSize=99999999999999999999",
  "pageSize=%zz",
  "pageToken=%F0%9F%92%A9",
  "pageToken=",
  "__proto__=1",
  "filterParty=x",
  "&&=&",
];
const tokens = [
  "Bearer",
  "Bearer  two  words",
  "Basic YTpi",
  "bearer participant_admin",
  "Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJwYXJ0aWNpcGFudF9hZG1pbiJ9.",
  `Bearer ${"x".repeat(9000)}`,
  "Bearer __proto__",
  "Bearer é",
  "",
];
const mediaTypes = [
  "text/plain",
  "application/json; charset=latin-1",
  "application/xml",
  "multipart/form-data; boundary=x",
  "*/*;q=0",
  "nonsense",
  "",
  "application/json;;;,,,",
];
const headers: readonly (readonly [string, string])[] = [
  ["Authorization", "Bearer another"],
  ["Content-Length", "5"],
  ["X-Forwarded-Host", "evil.example"],
  ["Origin", "https://evil.example"],
  ["traceparent", "00-zz-zz-01"],
  ["traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"],
  ["__proto__", "x"],
  ["Understudy-World", "none-such"],
  ["Content-Encoding", "gzip"],
  ["X-Long", "x".repeat(20_000)],
];
const strangeBytes = [[0xff], [0xed, 0xa0, 0x80], [0x00], [0xc0, 0x80], [0xef, 0xbb, 0xbf], [0x22], [0x7d]];
const hugeBodies: readonly (() => string)[] = [
  () => `{"x":"${"y".repeat(200_000)}"}`,
  () => `[${"1,".repeat(50_000)}1]`,
  () => `{${Array.from({ length: 5000 }, (_, index) => `"m${index}":${index}`).join(",")}}`,
  () => `{"rights":[${'{"kind":{"CanActAs":{"value":{"party":"a::1220ab"}}}},'.repeat(2000)}{}]}`,
];
const deepBodies: readonly (() => string)[] = [
  () => "[".repeat(100_000),
  () => `${'{"a":'.repeat(400)}1${"}".repeat(400)}`,
  () => `${"[".repeat(499)}1${"]".repeat(499)}`,
];
const strangeTexts = [
  "{",
  "[]",
  "null",
  "5",
  '"text"',
  "{}",
  "",
  " ",
  '{"a":1,"a":2}',
  '{"__proto__":{"x":1}}',
  "\ufeff{}",
  "NaN",
  "{'a':1}",
];
const strangeValues: readonly Json[] = [
  null,
  true,
  0,
  -1,
  1.5,
  2 ** 31,
  2n ** 63n,
  -(2n ** 70n),
  1e308,
  "",
  " ",
  "\u0000",
  "\ud800",
  "__proto__",
  "x".repeat(300),
  "٣",
  [],
  {},
  [null],
  { unknown: 1 },
  { __proto__x: {} },
];
const strangeMembers = [
  "__proto__",
  "constructor",
  "unknown",
  "",
  "toString",
  "identityProviderId",
  "excludeDebugFields",
];

function oneOf<Value>(values: readonly Value[], pick: number): Value {
  const value = values[pick % values.length];
  if (value === undefined) throw new Error("invariant: there is nothing to pick from");
  return value;
}

function inserted(text: string, part: string, at: number): string {
  const place = 1 + (at % Math.max(1, text.length));
  return `${text.slice(0, place)}${part}${text.slice(place)}`;
}

function withHeader(request: Request, name: string, value: string): Request {
  const others = request.headers.filter(([other]) => other.toLowerCase() !== name.toLowerCase());
  return { ...request, headers: [...others, [name, value]] };
}

function withText(request: Request, text: string): Request {
  return { ...request, body: new Body(text) };
}

function withBytes(body: Body, at: number, bytes: readonly number[]): Body {
  const whole = body.bytes();
  const place = at % (whole.length + 1);
  return new Body(new Uint8Array([...whole.slice(0, place), ...bytes, ...whole.slice(place)]));
}

function withJson(request: Request, change: (json: Json) => Json): Request {
  const json = jsonOf(request.body.text());
  return json === undefined ? request : withText(request, formatJson(change(json)));
}

/** One place in a value changed; the places are counted through in depth. */
function changedAt(json: Json, { how, at, pick }: Mangling): Json {
  const wanted = at % placesIn(json);
  let place = -1;
  const walked = (value: Json): Json => {
    place += 1;
    if (place === wanted) return changed(value, how, pick);
    if (Array.isArray(value)) return value.map(walked);
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, walked(inner)]));
  };
  return walked(json);
}

function placesIn(value: Json): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce<number>((sum, inner) => sum + placesIn(inner), 1);
}

function changed(value: Json, how: Mangling["how"], pick: number): Json {
  if (how === "drop-member" && isJsonObject(value) && Object.keys(value).length > 0) {
    const dropped = oneOf(Object.keys(value), pick);
    return Object.fromEntries(Object.entries(value).filter(([name]) => name !== dropped));
  }
  if (how === "add-member" && isJsonObject(value)) {
    const members = [...Object.entries(value), [oneOf(strangeMembers, pick), oneOf(strangeValues, pick)] as const];
    return Object.fromEntries(members);
  }
  return oneOf(strangeValues, pick);
}
