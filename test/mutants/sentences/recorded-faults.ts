import { Body } from "../../../src/foundation/http/body.ts";
import type { Response } from "../../../src/foundation/http/response.ts";
import type { Json } from "../../../src/foundation/json/json.ts";
import { json, withContentType, withText } from "../_mutant.ts";
import { at, ledgerError } from "./_plant.ts";

type Change = (response: Response) => Response;

/** A fault in one recorded response: its label in the day of an application, the sentence, the fault and its correct twin. */
export type RecordedFault = readonly [label: string, sentence: string, fault: Change, twin: Change, only?: "spec"];

const text =
  (change: (text: string) => string): Change =>
  (found) => ({ ...found, body: new Body(change(found.body.text())) });
const status =
  (code: number): Change =>
  (found) => ({ ...found, status: code });
const instead =
  (code: number, body: Json): Change =>
  () =>
    json(code, body);
const html: Change = (found) => withText(found, "<p>no</p>", "text/html");
const same: Change = (found) => found;

/** Values that break the type of a member, each with a correct value; undefined removes a required member. */
function values(
  label: string,
  sentence: string,
  pointer: string,
  wrong: readonly (Json | undefined)[],
  twin: Change,
): readonly RecordedFault[] {
  return wrong.map((value) => [label, sentence, at(pointer, value), twin]);
}

/** The twin of a wrong member: another member beside it, which the spec does not name. */
const beside = (pointer: string): Change => at(pointer.replace(/[^/]*$/, "note"), "x");

const shape = "2.2: Ledger error response: types and required members.";
const errorMembers: readonly (readonly [name: string, wrong: readonly (Json | undefined)[], right: Json])[] = [
  ["code", [undefined, null, 7], "USER_NOT_FOUND"],
  ["cause", [undefined, null, ["x"]], "Another text."],
  ["context", [undefined, null, [], { a: 1 }], { more: "x" }],
  ["errorCategory", [undefined, null, "11", 8.5, 3_000_000_000], 11],
  ["resources", [{}, [["a"]], ["a"]], [["USER", "day-none"]]],
  ["grpcCodeValue", ["5", 3_000_000_000], 5],
  ["retryInfo", [1], "1 second"],
  ["definiteAnswer", ["no"], false],
  ["correlationId", [7], "c"],
  ["traceId", [7], "0af7651916cd43dd8448eb211c80319c"],
];
const errors = ["grant-unknown", "patch-unknown"].flatMap((label) =>
  errorMembers.flatMap(([name, wrong, right]) => values(label, shape, `/${name}`, wrong, at(`/${name}`, right))),
);

const userMembers: readonly (readonly [name: string, wrong: readonly Json[]])[] = [
  ["id", [7, null]],
  ["primaryParty", [7]],
  ["isDeactivated", ["no", 0]],
  ["metadata", ["x", []]],
  ["identityProviderId", [7]],
  ["primaryPartyAuthentication", ["no"]],
];
const users = [
  ["users-plain", "/users/0"],
  ["patch", "/user"],
].flatMap(([label = "", user = ""]) =>
  userMembers.flatMap(([name, wrong]) =>
    values(label, "2.2: User, types of the fields.", `${user}/${name}`, wrong, at(`${user}/note`, "x")),
  ),
);

const required = "4.2: 200 body, types and required members.";
const party = `another::1220${"cd".repeat(32)}`;
const results: readonly RecordedFault[] = [
  ...values("users-plain", required, "/users", [{}, "x"], beside("/users")),
  ...values("users-plain", required, "/nextPageToken", [7, null], at("/nextPageToken", "")),
  ...values(
    "status",
    required,
    "/packageStatus",
    [undefined, null, true, 7],
    at("/packageStatus", "PACKAGE_STATUS_REGISTERED"),
  ),
  ...values(
    "idps",
    required,
    "/identityProviderConfigs",
    [undefined, null, {}, ["a"]],
    beside("/identityProviderConfigs"),
  ),
  [
    "idps",
    "8: The list of identity provider configurations is non-empty.",
    at("/identityProviderConfigs", []),
    same,
    "spec",
  ],
  ...values("grant", required, "/newlyGrantedRights", [{}, null, ["CanActAs"], 7], beside("/newlyGrantedRights")),
  [
    "grant-again",
    "4.2: the rights newly granted by this request.",
    at("/newlyGrantedRights", [{ kind: { ParticipantAdmin: { value: {} } } }]),
    same,
  ],
  ...values("patch", required, "/user", [undefined, null, "x"], beside("/user")),
  ["patch", "4.2: user (User, required).", at("/user/id", "another-user"), at("/user/id", "day-1")],
  [
    "patch",
    "4.2: Updates selected modifiable attributes.",
    at("/user/isDeactivated", false),
    at("/user/isDeactivated", true),
  ],
  ...values("allocate-p-0", required, "/partyId", [undefined, null, 7, "", party], beside("/partyId")),
  ...values(
    "execute-0",
    required,
    "/updateId",
    [undefined, null, 7, "", "update?1"],
    at("/updateId", `1220${"ab".repeat(32)}`),
  ),
  ...values(
    "execute-0",
    required,
    "/completionOffset",
    [undefined, null, "43", 12.5, 2n ** 63n],
    at("/completionOffset", 43),
  ),
  ["vetting-dry", required, instead(200, {}), beside("/newVettedPackages")],
  ["vetting-dry", required, instead(200, []), beside("/newVettedPackages")],
];

const rows21 = "2.1: types and required fields of the registry resources.";
const contract = "/choiceContext/disclosedContracts/0";
const lookups: readonly RecordedFault[] = [
  ...values("lookup", rows21, "/factoryId", [undefined, null, 7, ""], beside("/factoryId")),
  ...values(
    "lookup",
    rows21,
    "/transferKind",
    [undefined, null, 7, "later", "Offer", "", "self"],
    at("/transferKind", "offer"),
  ),
  ...values("lookup", rows21, "/choiceContext", [undefined, null, 7], beside("/choiceContext")),
  ...values(
    "lookup",
    rows21,
    "/choiceContext/choiceContextData",
    [undefined, [], ""],
    beside("/choiceContext/choiceContextData"),
  ),
  ...values(
    "lookup",
    rows21,
    "/choiceContext/disclosedContracts",
    [undefined, {}, [null]],
    beside("/choiceContext/disclosedContracts"),
  ),
  ...["templateId", "contractId", "createdEventBlob", "synchronizerId"].flatMap((name) =>
    values(
      "lookup",
      rows21,
      `${contract}/${name}`,
      [undefined, 7, ...(name === "synchronizerId" ? [] : [""])],
      beside(`${contract}/${name}`),
    ),
  ),
  ["lookup", "2.1: Fully qualified template identifier.", at(`${contract}/templateId`, "Amulet"), same],
  [
    "lookup",
    "2.1: debugCreatedAt, date-time.",
    at(`${contract}/debugCreatedAt`, "1 January"),
    at(`${contract}/debugCreatedAt`, "2026-01-01T00:00:00Z"),
  ],
  ["lookup", "2.1: debugPayload, object.", at(`${contract}/debugPayload`, []), at(`${contract}/debugPayload`, {})],
  [
    "lookup",
    "2.1: debugPackageName, string.",
    at(`${contract}/debugPackageName`, 7),
    at(`${contract}/debugPackageName`, "another"),
  ],
  ["lookup-self", "2.1: self: sender and receiver are the same party.", at("/transferKind", "offer"), same],
  ...[contract, "/choiceContext", "", "/choiceContext/choiceContextData"].map(
    (place): RecordedFault => [
      "lookup-lean",
      "2.1: the response omits every field whose name starts with debug.",
      at(`${place}/debugNote`, "x"),
      at(`${place}/note`, "x"),
    ],
  ),
];

const media = "4: All ledger operations return application/json on success.";
const successes = [
  "idps",
  "users-plain",
  "status",
  "grant",
  "patch",
  "vetting-dry",
  "allocate-p-0",
  "execute-0",
  "lookup",
].flatMap((label): readonly RecordedFault[] => [
  [
    label,
    media,
    (found) => withContentType(found, "text/plain"),
    (found) => withContentType(found, "Application/JSON"),
  ],
  [
    label,
    media,
    (found) => withContentType(found, "application/json; charset=iso-8859-1"),
    (found) => withContentType(found, 'application/json; charset="UTF-8"'),
  ],
  [label, media, text((whole) => whole.slice(0, -1)), text((whole) => ` ${whole}\r\n`)],
  [label, media, text((whole) => `${whole}{}`), text((whole) => JSON.stringify(JSON.parse(whole), undefined, 2))],
  [
    label,
    media,
    text((whole) => whole.replace("{", '{"note":1,"note":2,')),
    text((whole) => whole.replace("{", '{"note":1,"more":2,')),
  ],
  [label, "4: 200 body.", status(202), status(200)],
  [label, "4: 200 body.", text(() => "null"), text((whole) => whole.replaceAll("/", "\\/"))],
]);

const bad = "4: The 400 response of every ledger operation is text/plain (one string value).";
const refusals: readonly RecordedFault[] = [
  ...["users-bad", "grant-bad", "patch-bad", "vetting-bad", "execute-0-bad", "allocate-p-bad"].flatMap(
    (label): readonly RecordedFault[] => [
      [label, bad, html, same],
      [
        label,
        bad,
        instead(400, ledgerError(400)),
        (found) => withText(found, "Another text", "text/plain; charset=utf-8"),
        "spec",
      ],
    ],
  ),
  ["users-bad", "4.2: pageSize (integer int32).", instead(200, { users: [], nextPageToken: "" }), same],
  ["grant-bad", "4.2: userId (string, required).", instead(200, { newlyGrantedRights: [] }), same],
  ["patch-bad", "4.2: updateMask (FieldMask, required).", instead(200, { user: { id: "day-1" } }), same],
  [
    "execute-0-bad",
    "4.2: preparedTransaction (string).",
    instead(200, { updateId: "1220ab", completionOffset: 90 }),
    same,
  ],
  ["allocate-p-bad", "4.2: synchronizer (string, required).", instead(200, { partyId: party }), same],
  ["lookup-bare", "4.1: required body.", instead(200, { factoryId: "00ab", transferKind: "offer" }), same],
  ...[{ message: "bad" }, { error: 400 }, { error: null }, { error: {} }, [{ error: "bad" }]].map(
    (body): RecordedFault => [
      "lookup-bad",
      "2.1: ErrorResponse: error (string).",
      instead(400, body),
      instead(400, { error: "bad" }),
    ],
  ),
  ["lookup-bad", "4.1: 400, 404, 409.", status(422), status(404)],
  ["lookup-bad", "2.1: ErrorResponse.", instead(400, ledgerError(400)), instead(400, { error: "失敗", more: 1 })],
];

const token = "5: Every ledger operation requires a bearer token in the header Authorization.";
const tokens = [
  ["idps", { identityProviderConfigs: [{ identityProviderId: "corporate" }] }],
  ["status", { packageStatus: "PACKAGE_STATUS_REGISTERED" }],
  ["grant", { newlyGrantedRights: [] }],
] as const;
const unauthenticated = tokens.flatMap(([operation, body]): readonly RecordedFault[] => [
  ...["bare", "basic", "empty"].map(
    (kind): RecordedFault => [`${operation}-${kind}`, token, instead(200, body), instead(401, ledgerError(401))],
  ),
  [`${operation}-bare`, token, instead(404, ledgerError(404)), instead(429, ledgerError(429))],
  [`${operation}-bare`, shape, html, at("/cause", "no token")],
  [`${operation}-bare`, shape, text(() => ""), text((whole) => `${whole}\n`)],
]);

/** Single faults in recorded responses, made from the sentences of the spec. */
export const recordedFaults: readonly RecordedFault[] = [
  ...errors,
  ...users,
  ...results,
  ...lookups,
  ...successes,
  ...refusals,
  ...unauthenticated,
];
