type Random = () => number;

export function oneOf<Value>(values: readonly Value[], random: Random): Value {
  const value = values[Math.floor(random() * values.length)];
  if (value === undefined) throw new Error("nothing to choose from");
  return value;
}

const below = (random: Random, max: number) => Math.floor(random() * max);

const grant = '{"userId":"alice","rights":[{"kind":{"CanReadAs":{"value":{"party":"bob::1220ab"}}}}]}';
const inner = "GET /v2/smuggled HTTP/1.1\r\nHost: a\r\n\r\n";

const fields = "Host: 127.0.0.1\r\nAuthorization: Bearer any\r\n";
const withBody = (line: string, body: string) =>
  `${line} HTTP/1.1\r\n${fields}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
const inChunks = (line: string, body: string) =>
  `${line} HTTP/1.1\r\n${fields}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;

/** Requests that are in order, as text. */
const goodRequests: readonly string[] = [
  `GET /v2/users HTTP/1.1\r\n${fields}\r\n`,
  `GET /v2/idps?a=%20b HTTP/1.1\r\n${fields}Accept: application/json\r\nUser-Agent: fuzz\r\n\r\n`,
  `GET /v2/version HTTP/1.0\r\n${fields}\r\n`,
  `GET http://127.0.0.1/v2/idps HTTP/1.1\r\n${fields}\r\n`,
  `OPTIONS * HTTP/1.1\r\n${fields}\r\n`,
  withBody("POST /v2/users/alice/rights", grant),
  inChunks("POST /v2/users/alice/rights", grant),
  withBody("POST /v2/users/alice/rights", inner),
  inChunks("POST /v2/users/alice/rights", inner),
  withBody("GET /v2/users", inner),
  withBody("POST /__understudy/worlds/default/clock/advance", '{"by":"PT1S"}'),
  withBody("POST /__understudy/worlds/default/fork", "{}"),
  `GET /__understudy/worlds HTTP/1.1\r\n${fields}\r\n`,
  `GET /__understudy/limits HTTP/1.1\r\n${fields}\r\n`,
  `GET /__understudy/worlds/default/traffic?limit=1 HTTP/1.1\r\n${fields}\r\n`,
  withBody("POST /registry/transfer-instruction/v1/transfer-factory", "{}"),
  `PATCH /v2/users/alice/rights HTTP/1.1\r\n${fields}Content-Length: 0\r\n\r\n`,
];

const oddFields: readonly string[] = [
  "Content-Length: 0",
  "Content-Length: 5",
  "Content-Length: 40",
  "Content-Length: -1",
  "Content-Length: +3",
  "Content-Length: 0x10",
  "Content-Length: 1,1",
  "Content-Length: 1 1",
  "Content-Length:",
  "Content-Length: 99999999999999999999999",
  "Content-Length: 9007199254740993",
  "Content-Length: 8388609",
  "Content-Length : 4",
  "Transfer-Encoding: chunked",
  "Transfer-Encoding: Chunked",
  "Transfer-Encoding : chunked",
  "Transfer-Encoding:\r\n chunked",
  "Transfer-Encoding: \tchunked\t",
  "Transfer-Encoding: xchunked",
  "Transfer-Encoding: identity",
  "Transfer-Encoding: gzip, chunked",
  "Transfer-Encoding: chunked, identity",
  "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
  "Transfer-Encoding: \x0bchunked",
  "\x00Transfer-Encoding: chunked",
  "Transfer\x2dEncoding: ch\x00unked",
  "Expect: 100-continue",
  "Expect: beer",
  "Connection: Upgrade\r\nUpgrade: websocket",
  "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA",
  "Connection: close",
  "Connection: keep-alive",
  "Host: b",
  "Host:",
  "X: a\r\n b",
  "X: \x00",
  "X: \x7f\xff\xfe",
  "X\xff: a",
  "X Y: a",
  "no colon",
  ": no name",
  "Understudy-World: fork-1",
  "Understudy-World: \xff\xfe",
  "Authorization: Bearer \xc3\x28",
  "traceparent: 00-00000000000000000000000000000000-0000000000000000-00",
  "Origin: http://evil.example",
  "Trailer: X",
];

const oddTargets: readonly string[] = [
  "*",
  "a:80",
  "http://",
  "http://b/v2/users",
  "http:///v2/users",
  "https://user:password@b:99999/x",
  "//",
  "/%",
  "/%zz/%00/%ff%fe",
  "/v2/users/%2e%2e/rights",
  "/v2/users/__proto__/rights",
  "/../../etc/passwd",
  "/w/",
  "/w//v2/users",
  "/w/fork-1/w/fork-1/v2/users",
  "/__understudy",
  "/__understudy/",
  "/__understudy/events",
  "/__understudy/worlds/default/../../x",
  "/__understudy/worlds/%00",
  "/\x00",
  "/\x80\xff",
  "/a b",
  "/v2/users?\x7f",
  "/#fragment",
  `/${"a".repeat(8190)}`,
  `/${"a".repeat(9000)}`,
  `/${"a".repeat(20_000)}`,
  `/v2/users?${"a=b&".repeat(1500)}`,
];

const oddMethods = [
  "get",
  "FOO",
  "CONNECT",
  "TRACE",
  "M-SEARCH",
  "PRI",
  "SOURCE",
  "",
  "G\x00T",
  "QUERY",
  "A".repeat(9000),
];
const oddVersions = [
  "HTTP/1.0",
  "HTTP/0.9",
  "HTTP/2.0",
  "HTTP/1.2",
  "HTTP/11",
  "http/1.1",
  "HTTP/1.1 ",
  "",
  "ICE/1.0",
  "RTSP/1.0",
];
const oddChunks = [
  "0\r\n\r\n",
  "-1\r\n",
  "0x5\r\n",
  "5\n",
  "ffffffffffffffff\r\n",
  "fffffffffffffffff1\r\n",
  "5;a=b\r\nhello\r\n",
  `1;${"a".repeat(20_000)}\r\n`,
  "1 \r\na\r\n",
  "00000000000000000001\r\na\r\n",
  "1\r\nab\r\n",
  "\r\n",
  "0\r\nX: y\r\n\r\n",
  "0\r\nContent-Length: 5\r\n\r\n",
  `0\r\nX: ${"a".repeat(20_000)}\r\n\r\n`,
];
const beginnings = [
  "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
  "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  "\r\n\r\n",
  "\n",
  " ",
  "\x00",
  "\xef\xbb\xbf",
  "SSH-2.0-x\r\n",
  "HTTP/1.1 200 OK\r\n\r\n",
];

type Fault = (text: string, random: Random) => string;

const insert = (text: string, at: number, what: string) => text.slice(0, at) + what + text.slice(at);

/** Where lines end, or somewhere where none does. */
function lineEnd(text: string, random: Random): number {
  const ends = [...text.matchAll(/\r\n/g)].map(({ index }) => index);
  return ends.length === 0 ? below(random, text.length + 1) : oneOf(ends, random);
}

const faults: readonly Fault[] = [
  (text, random) => insert(text, lineEnd(text, random), `\r\n${oneOf(oddFields, random)}`),
  (text, random) => insert(text, lineEnd(text, random), `\r\n${oneOf(oddFields, random)}`),
  (text, random) => {
    const at = lineEnd(text, random);
    return (
      text.slice(0, at) +
      oneOf(["\n", "\r", "", "\r\n\r\n", "\r\r\n", "\n\n", "\r\n ", "\x85"], random) +
      text.slice(at + 2)
    );
  },
  (text, random) => text.replace(/^[A-Z]+ /, () => `${oneOf(oddMethods, random)} `),
  (text, random) => text.replace(/ \S+ HTTP/, () => ` ${oneOf(oddTargets, random)} HTTP`),
  (text, random) => text.replace(/HTTP\/1\.\d/, () => oneOf(oddVersions, random)),
  (text, random) => text.replace("\r\n\r\n", () => `\r\n\r\n${oneOf(oddChunks, random)}`),
  (text, random) =>
    text.replace("\r\n", () => `\r\nX: ${"a".repeat(oneOf([100, 16_000, 16_384, 40_000, 100_000], random))}\r\n`),
  (text, random) =>
    text.replace("\r\n", () => `\r\n${"X: a\r\n".repeat(oneOf([90, 96, 97, 98, 200, 1000, 3000], random))}`),
  (text, random) => insert(text, below(random, text.length + 1), String.fromCharCode(below(random, 256))),
  (text, random) => {
    const at = below(random, text.length + 1);
    return text.slice(0, at) + String.fromCharCode(below(random, 256)) + text.slice(at + 1);
  },
  (text, random) => {
    const at = below(random, text.length + 1);
    return text.slice(0, at) + text.slice(at + below(random, 20));
  },
  (text, random) => {
    const at = below(random, text.length + 1);
    return insert(text, at, text.slice(at, at + below(random, 60)));
  },
  (text, random) => text.slice(0, below(random, text.length + 1)),
  (text, random) => oneOf(beginnings, random) + text,
  (text, random) => insert(text, text.length, oneOf([inner, "\r\n", "0\r\n\r\n", "x", "\x00".repeat(50)], random)),
  (text, random) => text.replace(/\d+/, () => String(below(random, 2 ** 31))),
];

const upgrades = [
  "Connection: Upgrade\r\nUpgrade: websocket",
  "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA",
  "Connection: upgrade\r\nUpgrade: TLS/1.0",
];

/**
 * Three to six good requests after each other of which some ask for another protocol: each gets its response. The last one
 * closes the connection, so a client that waits for the end has all responses.
 */
export function drawUpgrades(random: Random): string {
  const kept = goodRequests.filter((text) => text.includes(" HTTP/1.1"));
  const requests = Array.from({ length: 2 + below(random, 4) }, (_, index) => {
    const text = oneOf(kept, random);
    return index === 0 || random() < 0.3 ? text.replace("\r\n", () => `\r\n${oneOf(upgrades, random)}\r\n`) : text;
  });
  const last = `GET /v2/version HTTP/1.1\r\nConnection: close\r\n${fields}\r\n`;
  return [...requests, last].join("");
}

/** One to four good requests after each other with up to three faults in them; a character is a byte. */
export function drawInput(random: Random): string {
  let text = "";
  for (let count = 1 + below(random, random() < 0.5 ? 1 : 4); count > 0; count -= 1)
    text += oneOf(goodRequests, random);
  for (let count = below(random, 20) === 0 ? 0 : 1 + below(random, 3); count > 0; count -= 1)
    text = oneOf(faults, random)(text, random);
  return text;
}
