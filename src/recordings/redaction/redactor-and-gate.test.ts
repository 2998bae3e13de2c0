import { expect, test } from "vitest";
import { formatJson } from "../../foundation/json/json.ts";
import { harEntry } from "../har/har-entry.ts";
import { recordedExchange } from "../har/recorded-exchange.ts";
import { createRedactor } from "./redactor.ts";

const names = [
  ...["key", "apikey", "api_key", "x-api-key", "X-Goog-Key", "k", "d", "dp", "qi", "p"],
  ...["token", "access_token", "id_token_hint", "jwt", "assertion", "password", "pwd", "pin", "otp", "code"],
  ...["code_verifier", "client_secret", "secretKey", "auth", "x-auth", "csrf", "XSRF", "credential", "credentials"],
  ...["session", "sessionId", "cookie", "Cookie", "set-cookie", "authorization", "Proxy-Authorization"],
  ...["authentication", "signature", "sig", "signature-1", "signature-input", "private_key", "seed", "mnemonic"],
  ...["host", "user[password]", "user.token", "sec-websocket-protocol", "authHeader", "passphrase", "bearer"],
];
const values = [
  "30",
  "x",
  "hunter22hunter22",
  "AIzaSyExampleExampleExampleExample1",
  "Zm9vYmFyYmF6Zm9vYmFyYmF6Zm9vYmFyYmF6Zm9vYmFyYmF6MTIz",
  "Bearer 8f2kd83jskd0",
  "Basic dXNlcjpwYXNzd29yZDE=",
  "alice:correcthorse@",
  "a=b; c=correcthorse1",
  "correct horse & battery=staple+1%",
  '{"token":"8f2kd83jskd0"}',
  "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbGljZSJ9.c2lnbmF0dXJl",
  "üñí-correct-hörse",
];

const pairIn = (name: string, value: string) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
const url = "http://node.example/v2/users";
const text = (mimeType: string, body: string) => ({ mimeType, text: body });
const json = (value: object) => text("application/json", JSON.stringify(value));
const base64 = (body: string) => Buffer.from(body).toString("base64");
const withContent = (content: object) => ({ response: { status: 200, headers: [], content } });
const withBody = (postData: object) => ({ request: { method: "POST", url, headers: [], postData } });

/** The places of an entry that may have a name with a value. */
const places: Readonly<Record<string, (name: string, value: string) => object>> = {
  query: (name, value) => ({ request: { method: "GET", url: `${url}?a=1&${pairIn(name, value)}`, headers: [] } }),
  "query list": (name, value) => ({ request: { method: "GET", url, headers: [], queryString: [{ name, value }] } }),
  fragment: (name, value) => ({ request: { method: "GET", url: `${url}#${pairIn(name, value)}`, headers: [] } }),
  path: (name, value) => ({
    request: { method: "GET", url: `${url}/${encodeURIComponent(`${name}=${value}`)}`, headers: [] },
  }),
  "user of the URL": (name, value) => ({
    request: { method: "GET", url: `http://${pairIn(name, value)}@node.example/v2/users`, headers: [] },
  }),
  "request header": (name, value) => ({ request: { method: "GET", url, headers: [{ name, value }] } }),
  "cookie list": (name, value) => ({ request: { method: "GET", url, headers: [], cookies: [{ name, value }] } }),
  referer: (name, value) => ({
    request: { method: "GET", url, headers: [{ name: "Referer", value: `${url}?${pairIn(name, value)}` }] },
  }),
  form: (name, value) => withBody(text("application/x-www-form-urlencoded", pairIn(name, value))),
  "form list": (name, value) =>
    withBody({ mimeType: "application/x-www-form-urlencoded", params: [{ name, value }], text: "" }),
  "multipart list": (name, value) =>
    withBody({ mimeType: "multipart/form-data; boundary=x", params: [{ name, value }] }),
  "request member": (name, value) => withBody(json({ a: { [name]: value } })),
  "response header": (name, value) => ({ response: { status: 200, headers: [{ name, value }], content: json({}) } }),
  "response member": (name, value) => withContent(json({ [name]: value })),
  "list of a member": (name, value) => withContent(json({ [name]: [value, { a: value }] })),
  pair: (name, value) => withContent(json({ list: [{ name, value }] })),
  "pair with a key": (name, value) => withContent(json({ list: [{ key: name, value }] })),
  "JSON within JSON": (name, value) => withContent(json({ a: JSON.stringify({ b: { [name]: value } }) })),
  "JSON behind a byte order mark": (name, value) =>
    withContent(text("application/json", `\ufeff${JSON.stringify({ [name]: value })}`)),
  "JSON in base64": (name, value) =>
    withContent({ mimeType: "application/json", encoding: "base64", text: base64(JSON.stringify({ [name]: value })) }),
  "JSON in UTF-16": (name, value) => {
    const bytes = Buffer.from(`\ufeff${JSON.stringify({ [name]: value })}`, "utf16le").toString("base64");
    return withContent({ mimeType: "application/json", encoding: "base64", text: bytes });
  },
  "text of a response": (name, value) => withContent(text("text/plain", `the ${name}: ${value}, or ${name}=${value}`)),
  "URL in a text": (name, value) => withContent(json({ next: `${url}?${pairIn(name, value)}` })),
  XML: (name, value) => withContent(text("text/xml", `<a><${name}>${value}</${name}></a>`)),
  "WebSocket message": (name, value) => ({
    _webSocketMessages: [{ type: "send", time: 1, opcode: 1, data: JSON.stringify({ [name]: value }) }],
  }),
  "binary WebSocket message": (name, value) => ({
    _webSocketMessages: [{ type: "send", time: 1, opcode: 2, data: base64(JSON.stringify({ [name]: value })) }],
  }),
  "reason of a failure": (name, value) => ({ response: { status: 0, _error: `net::ERR ${name}=${value}` } }),
  "data URL": (name, value) => ({ request: { method: "GET", url: `data:text/plain,${pairIn(name, value)}` } }),
};

const entryOf = (part: object) => ({
  startedDateTime: "2026-01-01T00:00:00Z",
  time: 1,
  request: { method: "GET", url, headers: [] },
  response: { status: 200, headers: [], content: json({}) },
  ...part,
});

function redactedOnce(entry: object) {
  const exchange = recordedExchange(JSON.parse(JSON.stringify(entry)));
  if (exchange === undefined) throw new Error("no exchange");
  const redactor = createRedactor();
  const redacted = harEntry(redactor.redact(exchange));
  return { redacted, leaks: redactor.leaksIn(redacted) };
}

test.each(Object.entries(places))(
  "the gate finds nothing in a redacted %s, and a second redaction changes nothing",
  (_place, part) => {
    const found: string[] = [];
    for (const name of names)
      for (const value of values) {
        const { redacted, leaks } = redactedOnce(entryOf(part(name, value)));
        for (const { kind, pointer } of leaks) found.push(`${name} ${value}: ${kind} at ${pointer}`);
        if (formatJson(redactedOnce(redacted).redacted) !== formatJson(redacted))
          found.push(`${name} ${value}: changes`);
      }
    expect(found).toEqual([]);
  },
);
