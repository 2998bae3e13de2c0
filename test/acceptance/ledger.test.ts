import { expect, test } from "vitest";
import { stubOf } from "./_stub.ts";

const text = "text/plain; charset=UTF-8";
const admin = { kind: { ParticipantAdmin: { value: {} } } };

test("pages users by id to the end, and gives no token after the last page", () => {
  const { ask } = stubOf("paging", "document");
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

test("ends with an empty page when the last one was full", () => {
  const { ask } = stubOf("paging", "document");
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
  ["0", "/v2/users?pageSize=0", 5],
  ["above the maximum", "/v2/users?pageSize=1000", 10],
])("takes the server's own size for a page size that is %s", (_name, target, size) => {
  expect(JSON.parse(stubOf("paging", "document").ask(target).text).users).toHaveLength(size);
});

test("keeps later pages as they are when users come and go before them", () => {
  const { world, ask } = stubOf("paging", "document");
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
])("refuses %s as text in every profile", (target, body) => {
  for (const profile of ["document", "canton-3.5"] as const) {
    expect(stubOf("paging", profile).ask(target)).toEqual({ status: 400, contentType: text, text: body });
  }
});

test.each(["/v2/users?pageSize=-1", "/v2/users?pageToken=nonsense", "/v2/users?pageToken=Cg"])(
  "refuses %s as text in the document and as JSON in a release",
  (target) => {
    expect(stubOf("paging", "document").ask(target)).toMatchObject({
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
  },
);

test("grants a right once, leaves the resource version alone and lists nothing the second time", () => {
  const { world, ask } = stubOf("quickstart", "document");
  const body = { userId: "alice", rights: [admin, admin] };
  expect(JSON.parse(ask("/v2/users/alice/rights", { body }).text)).toEqual({ newlyGrantedRights: [admin] });
  expect(JSON.parse(ask("/v2/users/alice/rights", { body }).text)).toEqual({ newlyGrantedRights: [] });
  expect(world.state.ledger.users.get("alice")?.resourceVersion).toBe("0");
});

test.each(["CanActAs", "CanReadAs", "CanExecuteAs"])("grants %s for a party", (kind) => {
  const right = { kind: { [kind]: { value: { party: "new::1220ab" } } } };
  expect(
    JSON.parse(
      stubOf("quickstart", "document").ask("/v2/users/bob/rights", { body: { userId: "bob", rights: [right] } }).text,
    ),
  ).toEqual({ newlyGrantedRights: [right] });
});

test.each([
  ["another user in the body", { userId: "bob" }, 400],
  ["another identity provider", { userId: "alice", identityProviderId: "corporate" }, 403],
  ["no kind", { userId: "alice", rights: [{}] }, 400],
  ["the kind Empty", { userId: "alice", rights: [{ kind: { Empty: {} } }] }, 400],
  ["an unknown kind", { userId: "alice", rights: [{ kind: { CanFly: { value: {} } } }] }, 400],
  ["a malformed party", { userId: "alice", rights: [{ kind: { CanActAs: { value: { party: "no party" } } } }] }, 400],
])("refuses a grant with %s and changes nothing", (_name, body, status) => {
  const { world, ask } = stubOf("quickstart", "document");
  const before = world.state.ledger;
  expect(ask("/v2/users/alice/rights", { body }).status).toBe(status);
  expect(world.state.ledger).toBe(before);
});

test("refuses a grant to a user that does not exist with the ledger's own error", () => {
  const answer = stubOf("quickstart", "document").ask("/v2/users/nobody/rights", { body: { userId: "nobody" } });
  expect(answer.status).toBe(404);
  expect(JSON.parse(answer.text)).toMatchObject({
    code: "USER_NOT_FOUND",
    errorCategory: 11,
    grpcCodeValue: 5,
    resources: [["ErrorResource(USER)", "nobody"]],
  });
});

test("refuses more rights than the limit and keeps those that there were", () => {
  const { world, ask } = stubOf("paging", "canton-3.5");
  const rights = Array.from({ length: 5 }, (_, index) => ({
    kind: { CanActAs: { value: { party: `p${index}::1220ab` } } },
  }));
  const answer = ask("/v2/users/user-01/rights", { body: { userId: "user-01", rights } });
  expect(JSON.parse(answer.text)).toMatchObject({ code: "TOO_MANY_USER_RIGHTS", errorCategory: 9 });
  expect(world.state.ledger.users.get("user-01")?.rights.size).toBe(0);
});

test("gives an unknown package a status too", () => {
  const { ask } = stubOf("quickstart", "document");
  expect(JSON.parse(ask("/v2/packages/%20/status").text)).toEqual({ packageStatus: "PACKAGE_STATUS_UNSPECIFIED" });
  expect(ask("/v2/packages/a.b/status")).toMatchObject({ status: 400, contentType: text });
});

test("lists the identity providers", () => {
  expect(JSON.parse(stubOf("quickstart", "document").ask("/v2/idps").text).identityProviderConfigs).toHaveLength(1);
});

test.each([
  ["", "exhausted input"],
  ["{", ""],
  ['{"userId":5}', "must be string"],
  ["[]", ""],
])("refuses the body %j as text that begins as the node's does", (rawBody, reason) => {
  const answer = stubOf("quickstart", "canton-3.5").ask("/v2/users/alice/rights", { rawBody, method: "POST" });
  expect(answer).toMatchObject({ status: 400, contentType: text });
  expect(answer.text.startsWith("Invalid value for: body (")).toBe(true);
  expect(answer.text).toContain(reason);
});

test("tells a release's caller nothing of a refusal, and the document's everything", () => {
  const document = stubOf("quickstart", "document", "user");
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
      submissionId: "s",
      hashingSchemeVersion: "HASHING_SCHEME_VERSION_V2",
    },
  ],
])("asks for a token at %s %s, whatever the mode but none", (method, target, body) => {
  for (const mode of ["bearer", "user"] as const) {
    const document = stubOf("quickstart", "document", mode).ask(target, { method, body, token: "" });
    expect([document.status, JSON.parse(document.text).code]).toEqual([401, "UNAUTHENTICATED"]);
    const release = stubOf("quickstart", "canton-3.5", mode).ask(target, { method, body, token: "" });
    expect([release.status, JSON.parse(release.text).code]).toEqual([401, "NA"]);
  }
});

test("lets an identity provider's administrator see its own users", () => {
  const page = JSON.parse(stubOf("quickstart", "document", "user").ask("/v2/users", { token: "erin" }).text);
  expect(page.users.map((user: { id: string }) => user.id)).toEqual(["erin"]);
});

test.each([
  ["GET", "/v2/nothing", 404],
  ["DELETE", "/v2/idps", 405],
  ["HEAD", "/v2/idps", 200],
  ["GET", "/v2/users/", 200],
])("answers %s %s with %d", (method, target, status) => {
  expect(stubOf("quickstart", "canton-3.5").ask(target, { method }).status).toBe(status);
});

test("gives the same bytes for the same scenario, seed and requests", () => {
  const run = () => {
    const { ask } = stubOf("quickstart", "canton-3.5");
    return [
      ask("/v2/users"),
      ask("/v2/users?pageSize=-1"),
      ask("/v2/users/alice/rights", { body: { userId: "alice", rights: [admin] } }),
    ];
  };
  expect(run()).toEqual(run());
});

test("never shows a fork what the other world did", () => {
  const { world, ask } = stubOf("quickstart", "document");
  const fork = world.fork();
  ask("/v2/users/alice/rights", { body: { userId: "alice", rights: [admin] } });
  expect(world.state.ledger.users.get("alice")?.rights.has("ParticipantAdmin")).toBe(true);
  expect(fork.state.ledger.users.get("alice")?.rights.has("ParticipantAdmin")).toBe(false);
});
