import { Body } from "../../../src/foundation/http/body.ts";
import { headerValues } from "../../../src/foundation/http/header.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../src/foundation/json/json.ts";
import { json, type Operation, objectIn, withContentType, withText } from "../_mutant.ts";
import {
  acceptsToken,
  always,
  body,
  ledgerError,
  member,
  type Plant,
  type Row,
  response,
  text,
  withMember,
} from "./_plant.ts";

const operations = ["execute", "patch", "allocate", "grant", "status", "users", "idps", "vetting"] as const;
const token = "5: Every ledger JSON API operation in section 4.2 requires a bearer token.";
const bearer = "5: Authorization: Bearer <ACCESS_TOKEN>.";
const shape = "2.2: Ledger error response (default response of all ledger operations, application/json).";
const media = "4: All ledger operations take and return application/json on success.";
const textual = "4: The 400 response of every ledger operation is text/plain (one string value).";

const schemeOf = (value: string | undefined) => value?.split(" ")[0]?.toLowerCase();

const tokens: readonly Row[] = [
  [
    "execute-without-token",
    token,
    response("execute", 401, () => json(200, { updateId: `1220${"ab".repeat(32)}`, completionOffset: 900 })),
  ],
  ...operations
    .slice(1)
    .map(
      (operation): Row => [
        `${operation}-without-token`,
        token,
        acceptsToken((value) => value === undefined, operation),
      ],
    ),
  ["any-token", token, acceptsToken(() => true)],
  ["basic-accepted", bearer, acceptsToken((value) => schemeOf(value) === "basic")],
  ["empty-bearer-accepted", bearer, acceptsToken((value) => value !== undefined && /^bearer\s*$/i.test(value))],
  ["invalid-token-accepted", bearer, acceptsToken((value) => value?.endsWith(".invalid") === true)],
  ...([200, 404] as const).map(
    (status): Row => [
      `no-token-${status}`,
      token,
      (inner) => async (request) => {
        const found = await inner(request);
        const isMissing = headerValues(request.headers, "authorization").length === 0;
        return found.type === "response" && found.status === 401 && isMissing
          ? json(status, status === 200 ? {} : ledgerError(status))
          : found;
      },
    ],
  ),
  [
    "no-token-400-json",
    textual,
    (inner) => async (request) => {
      const found = await inner(request);
      return found.type === "response" && found.status === 401 ? json(400, ledgerError(400)) : found;
    },
    "spec",
  ],
  ["refused-as-html", shape, everyLedger(401, (found) => withText(found, "<h1>Unauthorized</h1>", "text/html"))],
  ["refused-as-text", shape, everyLedger(401, (found) => withText(found, "Unauthorized", "text/plain"))],
  ["refused-without-body", shape, everyLedger(401, (found) => ({ ...found, body: new Body("") }))],
  ["forbidden-as-html", shape, everyLedger(403, (found) => withText(found, "<h1>Forbidden</h1>", "text/html"))],
];

function everyLedger(status: number, change: Parameters<typeof response>[2]): Plant {
  return (inner, administratorToken) =>
    operations.reduce((handler, operation) => response(operation, status, change)(handler, administratorToken), inner);
}

const everyOperation: readonly Row[] = operations.flatMap((operation): Row[] => [
  [`${operation}-always-401`, "4.2: 200 body.", always(operation, 401)],
  [`${operation}-always-503`, "4.2: 200 body.", always(operation, 503)],
  [`${operation}-missing`, `4.2: the operation exists.`, always(operation, 404)],
  [`${operation}-as-text`, media, response(operation, 200, (found) => withContentType(found, "text/plain"))],
  [
    `${operation}-success-204`,
    "4.2: 200 body.",
    response(operation, 200, (found) => ({ ...found, status: 204, body: new Body("") })),
  ],
  [`${operation}-success-null`, "4.2: 200 body.", text(operation, 200, () => "null")],
]);

const bodies: readonly Row[] = [
  [
    "in-latin-1",
    media,
    response("users", 200, (found) => withContentType(found, "application/json; charset=iso-8859-1")),
  ],
  ["in-utf-16", media, response("idps", 200, (found) => withContentType(found, "application/json; charset=utf-16"))],
  ["key-twice", media, text("users", 200, (whole) => whole.replace("{", '{"nextPageToken":"x",'))],
  ["comma-at-the-end", media, text("idps", 200, (whole) => whole.replace(/\}$/, ",}"))],
  ["cut-short", media, text("status", 200, (whole) => whole.slice(0, -2))],
  ["two-values", media, text("status", 200, (whole) => `${whole}{}`)],
  ...(["users", "patch", "grant", "vetting", "allocate", "execute"] as const).map(
    (operation): Row => [
      `${operation}-400-html`,
      textual,
      response(operation, 400, (found) => withText(found, "<p>Bad request</p>", "text/html")),
    ],
  ),
  ...(["users", "patch", "grant", "vetting", "allocate", "execute", "status"] as const).map(
    (operation): Row => [
      `${operation}-400-json`,
      textual,
      response(operation, 400, () => json(400, ledgerError(400))),
      "spec",
    ],
  ),
  ...(["users", "grant", "execute", "allocate"] as const).map(
    (operation): Row => [
      `${operation}-400-as-200-error`,
      "4.2: 200 body.",
      response(operation, 400, () => json(200, ledgerError(400))),
    ],
  ),
];

const errorMembers: readonly Row[] = [
  ...["code", "cause", "context", "errorCategory"].map(
    (name): Row => [`error-without-${name}`, shape, errorMember("grant", name, undefined)],
  ),
  ...["code", "cause", "context", "errorCategory"].map(
    (name): Row => [`error-${name}-null`, shape, errorMember("patch", name, null)],
  ),
  ...(
    [
      ["code", 7],
      ["cause", ["x"]],
      ["correlationId", 7],
      ["traceId", 7],
      ["context", []],
      ["context", { a: 1 }],
      ["resources", {}],
      ["resources", [["a"]]],
      ["resources", ["a"]],
      ["errorCategory", "8"],
      ["errorCategory", 8.5],
      ["errorCategory", 3_000_000_000],
      ["grpcCodeValue", "5"],
      ["grpcCodeValue", 3_000_000_000],
      ["retryInfo", 1],
      ["definiteAnswer", "no"],
    ] as const
  ).map(([name, value], index): Row => [`error-${name}-typed-${index}`, shape, errorMember("grant", name, value)]),
  ["error-as-text", shape, response("grant", 404, (found) => withContentType(found, "text/plain"))],
  ["error-bare", shape, response("grant", 404, (found) => ({ ...found, body: new Body('"not found"') }))],
  ["error-list", shape, response("patch", 404, () => json(404, [ledgerError(404)]))],
  ["error-empty", shape, response("patch", 404, (found) => ({ ...found, body: new Body("") }))],
  ["error-of-the-registry", shape, response("grant", 404, () => json(404, { error: "not found" }))],
];

function errorMember(operation: Operation, name: string, value: Json | undefined): Plant {
  return body(operation, 404, (given) => withMember(given, name, value));
}

function user(operation: "users" | "patch", change: (user: JsonObject) => Json): Plant {
  return body(operation, 200, (given) =>
    operation === "patch"
      ? { ...given, user: change(objectIn(given["user"])) }
      : {
          ...given,
          users: Array.isArray(given["users"])
            ? given["users"].map((entry) => (isJsonObject(entry) ? change(entry) : entry))
            : [],
        },
  );
}

const userMembers: readonly Row[] = (["users", "patch"] as const).flatMap((operation) => [
  ...(
    [
      ["id", 7],
      ["id", null],
      ["primaryParty", 7],
      ["isDeactivated", "no"],
      ["isDeactivated", 0],
      ["metadata", "x"],
      ["metadata", []],
      ["identityProviderId", 7],
      ["primaryPartyAuthentication", "no"],
    ] as const
  ).map(
    ([name, value]): Row => [
      `${operation}-user-${name}-${value === null ? "null" : Array.isArray(value) ? "list" : typeof value}`,
      "2.2: User, types of the fields.",
      user(operation, (given) => ({ ...given, [name]: value })),
    ],
  ),
  [`${operation}-user-as-text`, "2.2: User.", user(operation, (given) => String(given["id"]))] as const,
]);

const results: readonly Row[] = [
  ["status-empty", "4.2: packageStatus (string, required).", member("status", "packageStatus", undefined)],
  ["status-boolean", "4.2: packageStatus (string, required).", member("status", "packageStatus", true)],
  [
    "status-without-prefix",
    "2.2: a string enum whose zero value is PACKAGE_STATUS_UNSPECIFIED.",
    member("status", "packageStatus", "REGISTERED"),
    "canton-3.5",
  ],
  [
    "idps-absent",
    "4.2: identityProviderConfigs (required, non-empty).",
    member("idps", "identityProviderConfigs", undefined),
  ],
  ["idps-none", "4.2: identityProviderConfigs (required, non-empty).", member("idps", "identityProviderConfigs", [])],
  ["idps-object", "4.2: array of IdentityProviderConfig.", member("idps", "identityProviderConfigs", {})],
  ["idps-of-names", "2.2: IdentityProviderConfig: object.", member("idps", "identityProviderConfigs", ["a"])],
];

/** Faults of all ledger operations, from sections 2.2, 4, 5 and 7. */
export const ledgerRows: readonly Row[] = [
  ...tokens,
  ...everyOperation,
  ...bodies,
  ...errorMembers,
  ...userMembers,
  ...results,
];
