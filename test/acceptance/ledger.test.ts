import { expect, test } from "vitest";
import { type PlayedProfile, type Requested, stubOf, stubOver } from "./_stub.ts";

const text = "text/plain; charset=UTF-8";
const admin = { kind: { ParticipantAdmin: { value: {} } } };

test("lists users by id in pages, without a token after the last page", () => {
  const { ask } = stubOf("paging", "spec");
  const pages: string[][] = [];
  let token = "";
  do {
    const page = JSON.parse(ask(`/v2/users?pageSize=5&pageToken=${token}`).text);
    pages.push(page.users.map((user: { id: string }) => user.id));
    token = page.nextPageToken;
  } while (token !== "");
  expect(pages.map((page) => page.length)).toEqual([5, 5, 2]);
  expect(pages.flat()).toEqual([...new Set(pages.flat())].sort());
});

test("gives a page token only if further users follow in profile spec", () => {
  const { ask } = stubOf("paging", "spec");
  const full = JSON.parse(ask("/v2/users?pageSize=6").text);
  expect(JSON.parse(ask(`/v2/users?pageSize=6&pageToken=${full.nextPageToken}`).text)).toMatchObject({
    users: { length: 6 },
    nextPageToken: "",
  });
});

test("ends with an empty page in a release when the previous page was full", () => {
  const { ask } = stubOf("paging", "canton-3.5");
  const full = JSON.parse(ask("/v2/users?pageSize=6").text);
  const second = JSON.parse(ask(`/v2/users?pageSize=6&pageToken=${full.nextPageToken}`).text);
  expect(second.users).toHaveLength(6);
  expect(JSON.parse(ask(`/v2/users?pageSize=6&pageToken=${second.nextPageToken}`).text)).toEqual({
    users: [],
    nextPageToken: "",
  });
});

test.each([
  ["absent", "/v2/users", 5],
  ["above the maximum", "/v2/users?pageSize=1000", 10],
])("takes the server's own size for a page size that is %s", (_name, target, size) => {
  expect(JSON.parse(stubOf("paging", "spec").ask(target).text).users).toHaveLength(size);
});

test("refuses a page size of 0 in profile spec, and takes the server's own size in a release", () => {
  expect(stubOf("paging", "spec").ask("/v2/users?pageSize=0")).toEqual({
    status: 400,
    contentType: text,
    text: "INVALID_ARGUMENT: The submitted request has invalid arguments: Page size must be positive",
  });
  expect(JSON.parse(stubOf("paging", "canton-3.5").ask("/v2/users?pageSize=0").text).users).toHaveLength(5);
});

test("keeps later pages unchanged when users before them are created or deleted", () => {
  const { world, ask } = stubOf("paging", "spec");
  const { nextPageToken } = JSON.parse(ask("/v2/users?pageSize=4").text);
  const before = ask(`/v2/users?pageSize=4&pageToken=${nextPageToken}`).text;
  const model = world.state.ledger.users.get("user-01");
  if (model === undefined) throw new Error("no user-01");
  world.perform([{ type: "user-deleted", userId: "user-01" }]);
  world.perform([{ type: "user-created", user: { ...model, id: "aaa" } }]);
  expect(ask(`/v2/users?pageSize=4&pageToken=${nextPageToken}`).text).toBe(before);
});

test.each([
  ["/v2/users?pageSize=abc", "Invalid value for: query parameter pageSize"],
  ["/v2/users?pageSize=2147483648", "Invalid value for: query parameter pageSize"],
  ["/v2/users?pageSize=1.5", "Invalid value for: query parameter pageSize"],
  ["/v2/users?pageSize=", "Invalid value for: query parameter pageSize"],
  ["/v2/users?pageSize=1&pageSize=1", "Invalid value for: query parameter pageSize"],
])("refuses %s as text in every profile", (target, body) => {
  for (const profile of ["spec", "canton-3.5"] as const) {
    expect(stubOf("paging", profile).ask(target)).toEqual({ status: 400, contentType: text, text: body });
  }
});

test.each([
  "/v2/users?pageSize=-1",
  "/v2/users?pageToken=nonsense",
  "/v2/users?pageToken=Cg",
  "/v2/users?pageToken=CgA=",
  "/v2/users?pageToken=CgJhYg",
])("refuses %s as text in the spec and as JSON in a release", (target) => {
  expect(stubOf("paging", "spec").ask(target)).toMatchObject({
    status: 400,
    contentType: text,
    text: expect.stringMatching(/^INVALID_ARGUMENT: /),
  });
  const release = stubOf("paging", "canton-3.5").ask(target);
  expect(release).toMatchObject({ status: 400, contentType: "application/json" });
  expect(JSON.parse(release.text)).toMatchObject({
    code: "INVALID_ARGUMENT",
    errorCategory: 8,
    grpcCodeValue: 3,
    correlationId: null,
  });
});

test("grants a right once, keeps the resource version and returns no new right the second time", () => {
  const { world, ask } = stubOf("quickstart", "spec");
  const body = { userId: "alice", rights: [admin, admin] };
  expect(JSON.parse(ask("/v2/users/alice/rights", { body }).text)).toEqual({ newlyGrantedRights: [admin] });
  expect(JSON.parse(ask("/v2/users/alice/rights", { body }).text)).toEqual({ newlyGrantedRights: [] });
  expect(world.state.ledger.users.get("alice")?.resourceVersion).toBe("0");
});

test.each(["CanActAs", "CanReadAs", "CanExecuteAs"])("grants %s for a party", (kind) => {
  const right = { kind: { [kind]: { value: { party: "new::1220ab" } } } };
  const body = { userId: "bob", rights: [right] };
  const { text } = stubOf("quickstart", "spec").ask("/v2/users/bob/rights", { body });
  expect(JSON.parse(text)).toEqual({ newlyGrantedRights: [right] });
});

test.each([
  ["another user in the body", { userId: "bob" }, 400],
  ["another identity provider", { userId: "alice", identityProviderId: "corporate" }, 403],
  ["no kind", { userId: "alice", rights: [{}] }, 400],
  ["the kind Empty", { userId: "alice", rights: [{ kind: { Empty: {} } }] }, 400],
  ["an unknown kind", { userId: "alice", rights: [{ kind: { CanFly: { value: {} } } }] }, 400],
  ["a malformed party", { userId: "alice", rights: [{ kind: { CanActAs: { value: { party: "no@party" } } } }] }, 400],
])("refuses a grant with %s and changes nothing", (_name, body, status) => {
  const { world, ask } = stubOf("quickstart", "spec");
  const before = world.state.ledger;
  expect(ask("/v2/users/alice/rights", { body }).status).toBe(status);
  expect(world.state.ledger).toBe(before);
});

test("refuses a grant to an unknown user with the ledger error USER_NOT_FOUND", () => {
  const response = stubOf("quickstart", "spec").ask("/v2/users/unknown/rights", { body: { userId: "unknown" } });
  expect(response.status).toBe(404);
  expect(JSON.parse(response.text)).toMatchObject({
    code: "USER_NOT_FOUND",
    errorCategory: 11,
    grpcCodeValue: 5,
    resources: [["ErrorResource(USER)", "unknown"]],
  });
});

test("gives a status for an unknown package", () => {
  const { ask } = stubOf("quickstart", "spec");
  expect(JSON.parse(ask("/v2/packages/%20/status").text)).toEqual({ packageStatus: "PACKAGE_STATUS_UNSPECIFIED" });
  expect(ask("/v2/packages/a.b/status")).toMatchObject({ status: 400, contentType: text });
});

test("lists the identity providers", () => {
  expect(JSON.parse(stubOf("quickstart", "spec").ask("/v2/idps").text).identityProviderConfigs).toHaveLength(1);
});

test.each([
  ["", "exhausted input"],
  ["{", "exhausted input"],
  ['{"userId":5}', "Got value '5' with wrong type, expecting string at 'userId'"],
  ["[]", "Missing required field at 'userId'"],
])("refuses the body %j with the text of a node", (rawBody, reason) => {
  const response = stubOf("quickstart", "canton-3.5").ask("/v2/users/alice/rights", { rawBody, method: "POST" });
  expect(response).toMatchObject({ status: 400, contentType: text, text: `Invalid value for: body (${reason})` });
});

test("refuses a body with a byte order mark, like a node", () => {
  const rawBody = '\uFEFF{"userId":"alice"}';
  const { text } = stubOf("quickstart", "canton-3.5").ask("/v2/users/alice/rights", { rawBody, method: "POST" });
  expect(text).toBe(`Invalid value for: body (expected json value got '\uFEFF{"use...' (line 1, column 1))`);
});

test.each([
  ["GET", "/v2/users/zoe", undefined, "getting user"],
  ["PATCH", "/v2/users/zoe", { user: { id: "zoe" }, updateMask: { paths: ["is_deactivated"] } }, "updating user"],
  ["DELETE", "/v2/users/zoe", undefined, "deleting user"],
  ["POST", "/v2/users/zoe/rights", { userId: "zoe" }, "grant user rights"],
  ["PATCH", "/v2/users/zoe/rights", { userId: "zoe" }, "revoke user rights"],
  ["GET", "/v2/users/zoe/rights", undefined, "list user rights"],
])("the cause of USER_NOT_FOUND for %s %s names the operation", (method, target, body, attempted) => {
  const { text: sent } = stubOf("quickstart", "canton-3.5").ask(target, { method, body });
  expect(JSON.parse(sent).cause).toBe(`${attempted} failed for unknown user "zoe"`);
});

test("a redacted error of release 3.5 has one cause, and the trace id as its correlation id", () => {
  const error = JSON.parse(stubOf("quickstart", "canton-3.5").ask("/v2/users", { token: "" }).text);
  expect(error.cause).toBe("A security-sensitive error has been received");
  expect(error.traceId).toMatch(/^[0-9a-f]{32}$/);
  expect(error.correlationId).toBe(error.traceId);
});

test("different users in path and body are an invalid argument of the JSON layer", () => {
  const body = { user: { id: "bob" }, updateMask: { paths: ["is_deactivated"] } };
  const { text: sent } = stubOf("quickstart", "canton-3.5").ask("/v2/users/alice", { method: "PATCH", body });
  expect(JSON.parse(sent)).toMatchObject({
    code: "INVALID_ARGUMENT",
    cause: "The submitted request has invalid arguments: alice does not match user in body: Some(bob) ",
    resources: [],
  });
});

test("redacts the reason of a refusal in a release and shows it in profile spec", () => {
  const document = stubOf("quickstart", "spec", "user");
  expect(JSON.parse(document.ask("/v2/users", { token: "alice" }).text)).toMatchObject({ code: "PERMISSION_DENIED" });
  expect(JSON.parse(document.ask("/v2/users", { token: "" }).text)).toMatchObject({ code: "UNAUTHENTICATED" });
  const release = stubOf("quickstart", "canton-3.5", "user");
  expect(release.ask("/v2/users", { token: "alice" }).status).toBe(403);
  expect(JSON.parse(release.ask("/v2/users", { token: "" }).text)).toMatchObject({
    code: "NA",
    errorCategory: -1,
    grpcCodeValue: 16,
  });
});

const party = "alice::12202bd806c97f0e00af1a1fc3328fa763a9269723c8db8fac4f93af71db186d6e90";
const prepared = Buffer.from("alice offers carol 10").toString("base64");

test.each([
  ["GET", "/v2/users", undefined],
  ["GET", "/v2/idps", undefined],
  ["GET", "/v2/packages/a/status", undefined],
  ["POST", "/v2/users/alice/rights", { userId: "alice" }],
  ["PATCH", "/v2/users/alice", { user: { id: "alice" }, updateMask: { paths: ["id"] } }],
  [
    "POST",
    "/v2/parties/external/allocate",
    { synchronizer: "a::1220ab", onboardingTransactions: [{ transaction: "AAAA" }] },
  ],
  ["POST", "/v2/package-vetting", { changes: [{ operation: { Empty: {} } }] }],
  [
    "POST",
    "/v2/interactive-submission/executeAndWait",
    {
      preparedTransaction: prepared,
      partySignatures: { signatures: [{ party, signatures: [] }] },
      deduplicationPeriod: { Empty: {} },
      submissionId: "s",
      hashingSchemeVersion: "HASHING_SCHEME_VERSION_V2",
    },
  ],
])("requires a token for %s %s in every mode except none", (method, target, body) => {
  for (const mode of ["bearer", "user"] as const) {
    const document = stubOf("quickstart", "spec", mode).ask(target, { method, body, token: "" });
    expect([document.status, JSON.parse(document.text).code]).toEqual([401, "UNAUTHENTICATED"]);
    const release = stubOf("quickstart", "canton-3.5", mode).ask(target, { method, body, token: "" });
    expect([release.status, JSON.parse(release.text).code]).toEqual([401, "NA"]);
  }
});

test.each<[what: string, target: string, requested: Requested, status: number, body: string]>([
  ["an empty bearer token", "/v2/users", bearing(["Bearer"]), 400, "Invalid value for: header Authorization"],
  ["two bearer tokens", "/v2/users", bearing(["Bearer a", "Bearer b"]), 400, "Invalid value for: header Authorization"],
  [
    "a query, before the token",
    "/v2/users?pageSize=a",
    bearing([]),
    400,
    "Invalid value for: query parameter pageSize",
  ],
  ["another method", "/v2/users", { method: "PUT" }, 405, "Method Not Allowed"],
  ["a GET of a served stream", "/v2/state/active-contracts", {}, 400, "Expected WebSocket Upgrade request"],
  ["a GET of a stream", "/v2/updates", {}, 400, "Expected WebSocket Upgrade request"],
])("refuses %s with the text of a node in every release", (_what, target, requested, status, body) => {
  for (const profile of ["canton-3.6", "canton-3.5", "canton-3.4.12", "canton-3.4.11"] as const)
    expect(stubOf("quickstart", profile, "user").ask(target, requested)).toEqual({
      status,
      contentType: text,
      text: body,
    });
});

function bearing(tokens: readonly string[]): Requested {
  return { token: "", headers: tokens.map((token) => ["Authorization", token] as const) };
}

test.each([
  [-1, "Offset -1 in active_at_offset is a negative integer: the offset in active_at_offset field has to be"],
  [43, "active_at_offset offset (43) is after ledger end (42)"],
])("refuses active contracts at offset %d with the text of a node", (activeAtOffset, cause) => {
  const body = { activeAtOffset, eventFormat: { filtersForAnyParty: {} } };
  const response = stubOf("quickstart", "canton-3.5").ask("/v2/state/active-contracts", { body });
  expect(JSON.parse(response.text).cause).toContain(cause);
});

test.each([
  [{}, "Either filter/verbose or event_format is required."],
  [{ eventFormat: { filtersForAnyParty: {} }, filter: { filtersForAnyParty: {} } }, "Both event_format and filter"],
  [{ eventFormat: { filtersForAnyParty: {} }, verbose: true }, "Both event_format and verbose are set."],
])("refuses active contracts with %j with the text of a node", (format, cause) => {
  const response = stubOf("quickstart", "canton-3.5").ask("/v2/state/active-contracts", {
    body: { activeAtOffset: 1, ...format },
  });
  expect(JSON.parse(response.text)).toMatchObject({ code: "INVALID_ARGUMENT", cause: expect.stringContaining(cause) });
});

test("shows an administrator of an identity provider the users of this provider", () => {
  const page = JSON.parse(stubOf("quickstart", "spec", "user").ask("/v2/users", { token: "erin" }).text);
  expect(page.users.map((user: { id: string }) => user.id)).toEqual(["erin"]);
});

test.each([
  ["GET", "/v2/nothing", 404],
  ["DELETE", "/v2/idps", 405],
  ["GET", "/v2/updates/flat", 404],
  ["HEAD", "/v2/idps", 200],
  ["GET", "/v2/users/", 200],
])("responds to %s %s with %d", (method, target, status) => {
  expect(stubOf("quickstart", "canton-3.5").ask(target, { method }).status).toBe(status);
});

test("writes page tokens as URL-safe base64 of a protobuf message, also for the longest id", () => {
  const longest = "~".repeat(128);
  const ledger = `participantId: p::1220ab\nidentityProviders: [{ id: c, issuer: i, jwksUrl: j }]\nusers: [{ id: "a" }, { id: "~" }, { id: "${longest}" }]\n`;
  const { ask } = stubOver({ ledger }, "canton-3.5");
  const tokens: string[] = [];
  for (let token = ""; tokens.length < 3; tokens.push(token))
    token = JSON.parse(ask(`/v2/users?pageSize=1&pageToken=${token}`).text).nextPageToken;
  const written = [
    [10, 1, 97],
    [10, 1, 126],
    [10, 0x80, 1, ...Buffer.from(longest)],
  ].map((bytes) => Buffer.from(bytes).toString("base64url"));
  expect(tokens.map((token) => token.replace(/=+$/, ""))).toEqual(written);
});

test("sends all members of users and identity providers", () => {
  const ledger = `participantId: p::1220ab
identityProviders: [{ id: c, issuer: i, jwksUrl: j, audience: a }, { id: d, issuer: k, jwksUrl: l, deactivated: true }]
users: [{ id: dave, deactivated: true, annotations: { a: b } }]
`;
  const { ask } = stubOver({ ledger }, "canton-3.5");
  expect(JSON.parse(ask("/v2/users").text).users).toEqual([
    {
      id: "dave",
      primaryParty: "",
      isDeactivated: true,
      metadata: { resourceVersion: "0", annotations: { a: "b" } },
      identityProviderId: "",
      primaryPartyAuthentication: false,
    },
  ]);
  expect(JSON.parse(ask("/v2/idps").text).identityProviderConfigs).toEqual([
    { identityProviderId: "c", isDeactivated: false, issuer: "i", jwksUrl: "j", audience: "a" },
    { identityProviderId: "d", isDeactivated: true, issuer: "k", jwksUrl: "l", audience: "" },
  ]);
});

test("distinguishes an uploaded package from one that is only known", () => {
  const { world, ask } = stubOf("quickstart", "spec");
  const shown = [...world.state.ledger.packages.values()].map(({ id, isUploaded }) => [
    isUploaded,
    JSON.parse(ask(`/v2/packages/${id}/status`).text).packageStatus,
  ]);
  expect(shown).toContainEqual([true, "PACKAGE_STATUS_REGISTERED"]);
  expect(shown).toContainEqual([false, "PACKAGE_STATUS_UNSPECIFIED"]);
  expect(new Set(shown.map(String)).size).toBe(2);
});

test("grants rights up to the limit, counting the existing ones, and keeps these when it refuses more", () => {
  const { world, ask } = stubOf("paging", "canton-3.5");
  const grant = (...parties: readonly number[]) => {
    const rights = parties.map((index) => ({ kind: { CanActAs: { value: { party: `p${index}::1220ab` } } } }));
    return JSON.parse(ask("/v2/users/user-01/rights", { body: { userId: "user-01", rights } }).text);
  };
  const size = () => world.state.ledger.users.get("user-01")?.rights.size;
  const refused = { code: "TOO_MANY_USER_RIGHTS", errorCategory: 9 };
  expect([grant(1, 2, 3, 4, 5), size()]).toMatchObject([refused, 0]);
  expect([grant(1, 2, 3).code, size(), grant(3, 4, 5), size()]).toMatchObject([undefined, 3, refused, 3]);
  expect([grant(3, 4).code, grant(1, 2).code, size()]).toEqual([undefined, undefined, 4]);
});

test.each([
  ["that is not a user id", "no user", "/v2/users", 400],
  ["of a user that does not exist", "unknown", "/v2/users", 403],
  ["of a user that is deactivated", "dave", "/v2/packages/a/status", 403],
  ["of a user without rights", "carol", "/v2/packages/a/status", 200],
  ["of a user who lists identity providers without rights", "carol", "/v2/idps", 403],
  ["of an identity provider's administrator who lists identity providers", "erin", "/v2/idps", 403],
  ["of the administrator", "participant_admin", "/v2/idps", 200],
])("checks a token %s", (_name, token, target, status) => {
  for (const profile of ["spec", "canton-3.5"] as const)
    expect(stubOf("quickstart", profile, "user").ask(target, { token }).status).toBe(status);
});

test("checks a given token before the body, and the body before it requires a token", () => {
  const { ask } = stubOf("quickstart", "canton-3.5", "user");
  const status = (token: string) => ask("/v2/users/alice/rights", { rawBody: "{", token }).status;
  expect([status("unknown"), status("participant_admin"), status("")]).toEqual([403, 400, 400]);
});

test("accepts a bearer token from Sec-WebSocket-Protocol, and a scheme in any case", () => {
  const { ask } = stubOf("quickstart", "canton-3.5", "user");
  const status = (header: readonly [string, string]) => ask("/v2/idps", { token: "", headers: [header] }).status;
  expect(status(["Sec-WebSocket-Protocol", "daml.ws.auth,jwt.token.participant_admin"])).toBe(200);
  expect(status(["Sec-WebSocket-Protocol", "daml.ws.auth, jwt.token."])).toBe(401);
  expect(status(["Authorization", "bEARER participant_admin"])).toBe(200);
});

test("in profile spec, reads the token of an operation of the spec only from Authorization", () => {
  const { ask } = stubOf("quickstart", "spec", "user");
  const status = (target: string, more: readonly (readonly [string, string])[] = []) => {
    const headers = [["Sec-WebSocket-Protocol", "jwt.token.participant_admin"] as const, ...more];
    return ask(target, { token: "", headers }).status;
  };
  expect(["/v2/idps", "/v2/users", "/v2/packages/a/status"].map((target) => status(target))).toEqual([401, 401, 401]);
  expect(status("/v2/idps", [["Authorization", "Bearer participant_admin"]])).toBe(200);
  // An additional operation; a WebSocket sends its token in this header.
  expect(status("/v2/state/ledger-end")).toBe(200);
});

test("lets only administrators list users or grant rights, and guards rights over any party", () => {
  const { ask } = stubOf("quickstart", "canton-3.5", "user");
  const grant = (token: string, kind: string) =>
    ask("/v2/users/erin/rights", {
      token,
      body: { userId: "erin", identityProviderId: "corporate", rights: [{ kind: { [kind]: { value: {} } } }] },
    }).status;
  const guarded = ["ParticipantAdmin", "CanReadAsAnyParty", "CanExecuteAsAnyParty"];
  expect(guarded.map((kind) => grant("erin", kind))).toEqual([403, 403, 403]);
  expect(guarded.map((kind) => grant("participant_admin", kind))).toEqual([200, 200, 200]);
  expect([grant("carol", "IdentityProviderAdmin"), grant("carol", "CanReadAsAnyParty")]).toEqual([403, 403]);
  expect(ask("/v2/users", { token: "carol" }).status).toBe(403);
});

test("serves the version of the played release, only for GET", () => {
  const version = (profile: "spec" | "canton-3.5") => JSON.parse(stubOf("paging", profile).ask("/v2/version").text);
  expect(version("canton-3.5").version).toMatch(/^3\.5\./);
  expect(version("spec")).toEqual(version("canton-3.5"));
  expect(version("spec").features.userManagement).toEqual({
    supported: true,
    maxRightsPerUser: 4,
    maxUsersPageSize: 10,
  });
  expect(stubOf("paging", "spec").ask("/v2/version", { method: "POST" }).status).toBe(405);
});

test("responds to an unknown path like the release, with or without ledgerApiError", () => {
  const response = stubOf("quickstart", "canton-3.5").ask("/v2/nothing", { headers: [["Host", "h"]] });
  expect(JSON.parse(response.text)).toEqual({
    errors: ["HttpMethod(GET), uri: http://h/v2/nothing"],
    status: 404,
    ledgerApiError: null,
  });
});

test("uses the caller's trace id, and otherwise derives one from the seed", () => {
  const { ask } = stubOf("quickstart", "canton-3.5");
  const refusal = (header?: string) =>
    JSON.parse(ask("/v2/users?pageSize=-1", header === undefined ? {} : { headers: [["TraceParent", header]] }).text);
  const given = "0123456789abcdef0123456789abcdef";
  const named = refusal(`00-${given}-0123456789abcdef-01`);
  expect(named).toMatchObject({ traceId: given, context: { tid: given, definite_answer: "false" } });
  const own = [refusal(), refusal(), refusal("nonsense"), refusal(`00-${given}-b7ad-01`)];
  for (const { traceId, context } of own)
    expect([traceId, context.tid]).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), traceId]);
  expect(new Set([given, ...own.map(({ traceId }) => traceId)]).size).toBe(5);
});

test.each<[what: string, target: string, status: number, text: string, advice: string]>([
  ["a vertical bar", "/v2/users/auth0|5f7c", 400, "Invalid input '|' (line 1, column 16)", "percent-encoded, as %7C"],
  ["a circumflex", "/v2/users/a^b", 400, "Invalid input '^' (line 1, column 12)", "%5E"],
  ["a quote", '/v2/users/a"', 400, "Invalid input '\"' (line 1, column 12)", "%22"],
  ["a bracket in the query", "/v2/users?pageSize[]=1", 400, "Invalid input '[' (line 1, column 19)", "%5B"],
  ["a fragment", "/v2/users#top", 400, "Invalid input '#' (line 1, column 10)", "%23"],
  ["a letter beyond ASCII", "/v2/users/zoë", 400, "Invalid input 'ë' (line 1, column 13)", "%C3%AB"],
  ["a percent sign alone", "/v2/users/100%", 400, "Invalid input '%' (line 1, column 14)", "%25"],
  ["more than 2048 characters", `/v2/users?${"a".repeat(2039)}`, 414, "URI length exceeds", "shorter pages"],
])("a node refuses a target with %s before it looks at the path", (_what, target, status, text, advice) => {
  for (const profile of ["spec", "canton-3.5", "canton-3.6"] as const) {
    const { ask, reasonOf } = stubOf("quickstart", profile);
    const response = ask(target, { token: undefined });
    expect([response.status, response.text]).toEqual([status, expect.stringContaining(text)]);
    expect(reasonOf(target)).toContain(advice);
  }
});

test("a node takes targets and headers within its limits, and no others", () => {
  const { ask } = stubOf("quickstart", "canton-3.5");
  const status = (target: string, headers: readonly (readonly [string, string])[] = []) =>
    ask(target, { headers }).status;
  expect(status("/v2/users/a-._~!$'()+:@b%7c")).toBe(404);
  expect(status(`/v2/users?${"a".repeat(2038)}`)).toBe(200);
  const many = (count: number) => Array.from({ length: count }, (_, index) => [`X-${index}`, "a"] as const);
  expect([status("/v2/users", many(60)), status("/v2/users", many(65))]).toEqual([200, 400]);
  const long = (name: number, value: number) => [["x".repeat(name), "a".repeat(value)]] as const;
  const within = [status("/v2/users", long(64, 8192))];
  expect([...within, status("/v2/users", long(1, 8193)), status("/v2/users", long(65, 1))]).toEqual([200, 431, 431]);
});

test("a registry refuses an illegal target like a node; in profile spec with an ErrorResponse", () => {
  const target = "/registry/metadata/v1/instruments/a|b";
  expect(stubOf("quickstart", "canton-3.5").ask(target)).toMatchObject({ status: 400, contentType: /text/ });
  expect(JSON.parse(stubOf("quickstart", "spec").ask(target).text)).toEqual({
    error: expect.stringContaining("percent-encoded, as %7C"),
  });
});

test("truncates a long cause in a release but not in profile spec, and shortens the participant id", () => {
  const target = `/v2/users/${"!".repeat(600)}`;
  const { cause, context } = JSON.parse(stubOf("quickstart", "canton-3.5").ask(target).text);
  expect([cause.length, cause.slice(-3)]).toEqual([515, "..."]);
  expect(context.participant).toBe("'participant1'");
  expect(stubOf("quickstart", "spec").ask(target).text).toContain("!".repeat(600));
});

test("ignores the Accept header in profile spec", () => {
  const status = (profile: "spec" | "canton-3.5", accept: string) =>
    stubOf("quickstart", profile).ask("/v2/idps", { headers: [["Accept", accept]] }).status;
  expect([status("spec", "image/png"), status("canton-3.5", "image/png")]).toEqual([200, 406]);
  expect([status("canton-3.5", "application/json;q=0"), status("canton-3.5", "*/*;q=0.0")]).toEqual([406, 406]);
  expect(status("canton-3.5", "application/json;q=0.01")).toBe(200);
});

test("compares the user ids of path and body before it requires a token", () => {
  const { ask } = stubOf("quickstart", "canton-3.5", "user");
  expect(ask("/v2/users/alice/rights", { body: { userId: "bob" }, token: "" }).status).toBe(400);
  expect(ask("/v2/users/alice/rights", { body: { userId: "alice" }, token: "" }).status).toBe(401);
});

test("uses the first kind by name of several kinds in one right", () => {
  const { ask } = stubOf("quickstart", "canton-3.5");
  const actAs = { CanActAs: { value: { party: "p::1220ab" } } };
  const rights = [{ kind: { ParticipantAdmin: { value: {} }, ...actAs } }];
  expect(JSON.parse(ask("/v2/users/alice/rights", { body: { userId: "alice", rights } }).text)).toEqual({
    newlyGrantedRights: [{ kind: actAs }],
  });
});

test("lists the users of all identity providers in profile spec, and those of the default one in a release", () => {
  const ids = (profile: PlayedProfile) =>
    JSON.parse(stubOf("quickstart", profile).ask("/v2/users").text).users.map(({ id }: { id: string }) => id);
  expect(ids("spec")).toEqual(["alice", "bob", "carol", "dave", "erin", "participant_admin"]);
  expect(ids("canton-3.5")).toEqual(["alice", "bob", "carol", "dave", "participant_admin"]);
});
