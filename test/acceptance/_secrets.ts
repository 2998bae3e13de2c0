import { once } from "node:events";
import { request } from "node:http";
import type { HeaderList } from "../../src/foundation/http/header.ts";

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

type SecretName =
  | "bearer"
  | "jwt"
  | "otherJwt"
  | "basic"
  | "proxy"
  | "cookie"
  | "otherCookie"
  | "apiKey"
  | "pem"
  | "pemInText"
  | "signature"
  | "hexSignature"
  | "urlPassword"
  | "refererPassword"
  | "originPassword"
  | "queryToken"
  | "refererToken"
  | "formToken"
  | "formSecret"
  | "jsonToken"
  | "jsonPassword"
  | "quotedPassword"
  | "malformedToken"
  | "annotation"
  | "responseCookie"
  | "responseToken"
  | "responseHeader";

/** Marked secrets, one for each place in which a client or a target may have one. */
export const secrets: Readonly<Record<SecretName, string>> = {
  bearer: "MARKED-opaque-bearer-4f1d",
  jwt: `${encoded({ alg: "HS256", kid: "MARKED" })}.${encoded({ sub: "MARKED-by-jwt" })}.TUFSS0VELWp3dC1zaWc`,
  otherJwt: `${encoded({ alg: "ES256", kid: "MARKED" })}.${encoded({ sub: "MARKED-in-path" })}.TUFSS0VELXBhdGgtc2ln`,
  basic: Buffer.from("client:MARKED-basic-password").toString("base64"),
  proxy: Buffer.from("client:MARKED-proxy-password").toString("base64"),
  cookie: "MARKED-cookie-88ad",
  otherCookie: "MARKED-other-cookie-17be",
  apiKey: "MARKED-api-key-0c1e",
  pem: "TUFSS0VEUHJpdmF0ZUtleU1hcmtlZFByaXZhdGVLZXlNYXJrZWQ",
  pemInText: "TUFSS0VEQW5vdGhlcktleU1hcmtlZEFub3RoZXJLZXlNYXJrZWQ",
  signature: "TUFSS0VEU2lnbmF0dXJlQnl0ZXNNYXJrZWRTaWduYXR1cmVCeXRlcw==",
  hexSignature: "4d41524b45447369676e6174757265696e6865784d41524b4544",
  urlPassword: "MARKED-url-password-5a2b",
  refererPassword: "MARKED-referer-password-77aa",
  originPassword: "MARKED-origin-password-66bb",
  queryToken: "MARKED-query-token-99cc",
  refererToken: "MARKED-referer-token-33dd",
  formToken: "MARKED-form-token-22ee",
  formSecret: "MARKED-form-secret-11ff",
  jsonToken: "MARKED-json-token-abcd",
  jsonPassword: "MARKED-json-password-bcde",
  quotedPassword: "MARKED-behind-a-quote-7e3c",
  malformedToken: "MARKED-malformed-token-cdef",
  annotation: "MARKED-annotation-key-defa",
  responseCookie: "MARKED-answer-cookie-efab",
  responseToken: "MARKED-answer-token-fabc",
  responseHeader: "MARKED-answer-header-aabb",
};

/** Where a secret stands in a text, as it is or in an encoding that anybody undoes. */
export function leaksIn(text: string): readonly string[] {
  const plain = text.toLowerCase();
  return Object.entries(secrets).flatMap(([name, secret]) =>
    partsOf(secret).flatMap((part) =>
      Object.entries(formsOf(part)).flatMap(([form, written]) => {
        const at = plain.indexOf(written.toLowerCase());
        return at < 0 ? [] : [`${name} (${form}): ${text.slice(Math.max(0, at - 60), at + 30)}`];
      }),
    ),
  );
}

/** Of a JWT the claims and the signature, by themselves; its header is no secret. */
function partsOf(secret: string): readonly string[] {
  const parts = secret.split(".");
  return parts.length === 3 ? parts.slice(1) : [secret];
}

function formsOf(secret: string): Readonly<Record<string, string>> {
  const bytes = Buffer.from(secret);
  const decoded = Buffer.from(secret, "base64").toString("latin1");
  return {
    raw: secret,
    base64: bytes.toString("base64").replace(/.?=*$/, ""),
    base64url: bytes.toString("base64url").slice(0, -1),
    hex: bytes.toString("hex"),
    percent: encodeURIComponent(secret),
    json: JSON.stringify(secret).slice(1, -1),
    ...(decoded.includes("MARKED") ? { decoded } : {}),
  };
}

/** A request that carries secrets. */
export interface Sent {
  readonly line: string;
  readonly headers?: HeaderList;
  readonly body?: string;
}

const pem = (key: string) => `-----BEGIN PRIVATE KEY-----\n${key}\n-----END PRIVATE KEY-----`;
const json = ["Content-Type", "application/json"] as const;
const any = ["Authorization", "Bearer any"] as const;

/** Requests with a secret in every place that a request has. */
export const sent: readonly Sent[] = [
  {
    line: "GET /v2/users",
    headers: [
      ["aUTHORIZATION", `bEARER ${secrets.bearer}`],
      ["COOKIE", `a=b; session=${secrets.cookie}`],
      ["X-aPI-kEY", secrets.apiKey],
      ["Referer", `http://u:${secrets.refererPassword}@a.example/?access_token=${secrets.refererToken}`],
      ["Origin", `http://u:${secrets.originPassword}@a.example`],
      ["Proxy-Authorization", `Basic ${secrets.proxy}`],
    ],
  },
  {
    line: "GET /v2/users?pageSize=-1",
    headers: [
      ["Authorization", `Bearer ${secrets.jwt}`],
      ["authorization", `Basic ${secrets.basic}`],
      ["Cookie", `session=${secrets.cookie}`],
      ["Cookie", `other=${secrets.otherCookie}`],
    ],
  },
  {
    line: `GET /v2/users?pageSize=x&access_token=${secrets.queryToken}&next=http://u:${secrets.urlPassword}@h/`,
    headers: [any],
  },
  {
    line: `POST /v2/parties/${secrets.bearer}?note=${secrets.bearer}`,
    headers: [["Authorization", `Bearer ${secrets.bearer}`], json],
    body: JSON.stringify({ note: `${secrets.bearer} here` }),
  },
  { line: `GET /w/default/v2/users/${secrets.otherJwt}`, headers: [any] },
  { line: `DELETE /w/default/v2/nothing/${secrets.otherJwt}?token=${secrets.queryToken}`, headers: [any] },
  { line: "GET /v2/users", headers: [any, ["Understudy-World", secrets.otherJwt]] },
  {
    line: "POST /v2/users/alice/rights",
    headers: [any, ["Content-Type", "application/x-www-form-urlencoded"]],
    body: `access_token=${secrets.formToken}&client_secret=${secrets.formSecret}`,
  },
  {
    line: "POST /v2/users",
    headers: [any, json],
    body: JSON.stringify({
      user: { id: "zoe", metadata: { annotations: { "a/api-key": secrets.annotation, note: pem(secrets.pem) } } },
    }),
  },
  {
    line: "POST /v2/users",
    headers: [any, json],
    body: JSON.stringify({
      user: { id: 7 },
      access_token: secrets.jsonToken,
      login: { password: secrets.jsonPassword },
    }),
  },
  {
    line: "POST /v2/users",
    headers: [any, json],
    body: JSON.stringify({
      user: { id: 7 },
      password: `pa"${secrets.quotedPassword}`,
      secret: `x",${secrets.quotedPassword}`,
    }),
  },
  { line: "POST /v2/users", headers: [any, json], body: `{"token":"${secrets.malformedToken}","user":{"id":` },
  { line: "POST /v2/users", headers: [any, ["Content-Type", "text/plain"]], body: pem(secrets.pemInText) },
  {
    line: "POST /v2/interactive-submission/executeAndWait",
    headers: [any, json],
    body: JSON.stringify({
      preparedTransaction: "AAAA",
      partySignatures: {
        signatures: [
          { party: "alice::12", signatures: [{ format: "F", signature: secrets.signature, signedBy: "12" }] },
        ],
      },
      transactionSignature: secrets.hexSignature,
      submissionId: "s",
    }),
  },
];

/** What a target responds that gives secrets away. */
export const responded: { readonly headers: HeaderList; readonly body: string } = {
  headers: [
    ["Content-Type", "application/json"],
    ["Set-Cookie", `session=${secrets.responseCookie}; HttpOnly`],
    ["X-Auth-Token", secrets.responseHeader],
  ],
  body: JSON.stringify({
    users: [
      {
        id: "someone",
        primaryParty: { access_token: secrets.responseToken },
        access_token: secrets.responseToken,
        note: `Bearer ${secrets.responseToken}`,
      },
    ],
  }),
};

/** Sends a request as it stands, with every header as often as it is given. */
export async function send(url: string, { line, headers = [], body }: Sent): Promise<void> {
  const [method = "", target = ""] = line.split(" ");
  const { hostname, port } = new URL(url);
  const length = body === undefined ? [] : ["Content-Length", String(Buffer.byteLength(body))];
  const flat = ["Host", `${hostname}:${port}`, ...headers.flat(), ...length];
  const client = request({ hostname, port, method, path: target, headers: flat, agent: false });
  client.end(body);
  const [response] = await once(client, "response");
  response.resume();
  await once(response, "end");
}
