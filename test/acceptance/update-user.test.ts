import { expect, test } from "vitest";
import { expectRefused, hashOfWorld, type PlayedProfile, stubOf, stubOver } from "./_stub.ts";

const profiles: readonly PlayedProfile[] = ["spec", "canton-3.5"];
const patch = (user: unknown, paths: unknown = ["primary_party"]) => ({
  method: "PATCH",
  body: { user, updateMask: { paths } },
});

test("changes only the fields that the mask names", () => {
  for (const profile of profiles) {
    const { world, ask } = stubOf("quickstart", profile);
    const user = {
      id: "bob",
      primaryParty: "new::1220ab",
      isDeactivated: true,
      primaryPartyAuthentication: true,
      metadata: { annotations: { a: "b" } },
    };
    const response = ask("/v2/users/bob", patch(user, ["primary_party"]));
    expect(response).toMatchObject({ status: 200, contentType: "application/json" });
    expect(JSON.parse(response.text)).toEqual({
      user: {
        id: "bob",
        primaryParty: "new::1220ab",
        isDeactivated: false,
        metadata: { resourceVersion: "1", annotations: { team: "payments" } },
        identityProviderId: "",
        primaryPartyAuthentication: false,
      },
    });
    expect(JSON.parse(ask("/v2/users?pageSize=2").text).users[1]).toEqual(JSON.parse(response.text).user);
    expect(world.state.ledger.users.get("bob")?.rights.size).toBe(1);
  }
});

test("sets fields in the mask to their defaults", () => {
  const { ask } = stubOf("quickstart", "canton-3.5");
  ask(
    "/v2/users/bob",
    patch({ id: "bob", isDeactivated: true, primaryPartyAuthentication: true }, [
      "is_deactivated",
      "primary_party_authentication",
    ]),
  );
  const response = ask(
    "/v2/users/bob",
    patch({ id: "bob" }, ["is_deactivated", "primary_party", "primary_party_authentication"]),
  );
  expect(JSON.parse(response.text).user).toMatchObject({
    primaryParty: "",
    isDeactivated: false,
    primaryPartyAuthentication: false,
    metadata: { resourceVersion: "2" },
  });
});

test.each(["metadata", "metadata.annotations"])("merges annotations under %s: sets, deletes and keeps", (path) => {
  const { ask } = stubOf("quickstart", "spec");
  const annotate = (annotations: unknown) =>
    JSON.parse(ask("/v2/users/bob", patch({ id: "bob", metadata: { annotations } }, [path])).text).user.metadata
      .annotations;
  expect(annotate({ "example.com/a": "1", b: "2" })).toEqual({ team: "payments", "example.com/a": "1", b: "2" });
  expect(annotate({ team: "", b: "3" })).toEqual({ "example.com/a": "1", b: "3" });
  expect(annotate({})).toEqual({ "example.com/a": "1", b: "3" });
});

test.each(["id", "metadata.resource_version", "identity_provider_id"])(
  "accepts %s in a mask without effect, and increments the version",
  (path) => {
    const { ask } = stubOf("quickstart", "canton-3.5");
    const { user } = JSON.parse(ask("/v2/users/bob", patch({ id: "bob", primaryParty: "x::1220ab" }, [path])).text);
    expect(user).toMatchObject({ primaryParty: expect.stringMatching(/^bob::/), metadata: { resourceVersion: "1" } });
  },
);

test("accepts the current resource version, and refuses a stale one", () => {
  const { world, ask } = stubOf("quickstart", "canton-3.5");
  const at = (resourceVersion: string) =>
    ask("/v2/users/bob", patch({ id: "bob", metadata: { resourceVersion } }, ["primary_party"]));
  expect(at("0").status).toBe(200);
  const before = hashOfWorld(world);
  const stale = at("0");
  expect(stale.status).toBe(409);
  expect(JSON.parse(stale.text)).toMatchObject({
    code: "CONCURRENT_USER_UPDATE_DETECTED",
    errorCategory: 2,
    grpcCodeValue: 10,
    retryInfo: "1 second",
  });
  expect(hashOfWorld(world)).toBe(before);
  expect(at("1").status).toBe(200);
});

const tooLong = "x".repeat(256 * 1024);

const patchOf = (more: object, paths?: unknown) => patch({ id: "bob", ...more }, paths);
const annotated = (annotations: object) => patchOf({ metadata: { annotations } }, ["metadata"]);
const badMask = "INVALID_USER_UPDATE_REQUEST";

test.each([
  ["another user in the body", "bob", patch({ id: "alice" }), 400, "INVALID_ARGUMENT"],
  ["an invalid user id", "%25%25%21", patch({ id: "%%!" }), 400, "INVALID_FIELD"],
  ["an empty mask", "bob", patchOf({}, []), 400, badMask],
  ["an unknown path", "bob", patchOf({}, ["primaryParty"]), 400, badMask],
  ["an empty path", "bob", patchOf({}, [""]), 400, badMask],
  ["a path twice", "bob", patchOf({}, ["id", "id"]), 400, badMask],
  ["a bad mask for an unknown user", "unknown", patch({ id: "unknown" }, ["x"]), 400, badMask],
  ["an unknown user", "unknown", patch({ id: "unknown" }), 404, "USER_NOT_FOUND"],
  ["an invalid primary party", "bob", patchOf({ primaryParty: "no@party" }), 400, "INVALID_ARGUMENT"],
  ["an unknown identity provider", "bob", patchOf({ identityProviderId: "none" }), 400, "INVALID_ARGUMENT"],
  ["a version that is not a number", "bob", patchOf({ metadata: { resourceVersion: "x" } }), 400, "INVALID_FIELD"],
  ["an invalid key", "bob", annotated({ "-a": "" }), 400, "INVALID_ARGUMENT"],
  ["annotations above the limit", "bob", annotated({ a: tooLong }), 400, "INVALID_ARGUMENT"],
] as const)("refuses %s and changes nothing", (_name, path, requested, status, code) => {
  for (const profile of profiles) {
    const { world, ask } = stubOf("quickstart", profile);
    expectRefused(profile, { world, send: () => ask(`/v2/users/${path}`, requested) }, status, code);
  }
});

test.each([
  ["user", { updateMask: { paths: ["primary_party"] } }, "INVALID_ARGUMENT"],
  ["mask", { user: { id: "bob" } }, "MISSING_FIELD"],
])(
  "refuses a request without a %s: as an unreadable body in the spec, with a code in a release",
  (_name, body, code) => {
    for (const profile of profiles) {
      const { world, ask } = stubOf("quickstart", profile);
      const send = () => ask("/v2/users/bob", { method: "PATCH", body });
      expectRefused(profile, { world, send }, 400, profile === "spec" ? undefined : code);
    }
  },
);

test("refuses a request without a mask as a missing field in a release", () => {
  const { ask } = stubOf("quickstart", "canton-3.5");
  const response = ask("/v2/users/bob", { method: "PATCH", body: { user: { id: "bob" } } });
  expect(JSON.parse(response.text)).toMatchObject({ code: "MISSING_FIELD", context: { field_name: "update_mask" } });
  expect(JSON.parse(ask("/v2/users/bob", { method: "PATCH", body: {} }).text)).toMatchObject({
    code: "INVALID_ARGUMENT",
    cause: expect.stringContaining("None"),
    correlationId: expect.stringMatching(/^[0-9a-f]{32}$/),
  });
});

/** A ledger whose user has half of the annotations that it may have. */
const ledger = `participantId: p::1220ab
identityProviders: [{ id: corporate, issuer: i, jwksUrl: j }]
limits: { annotationsBytesMax: 20 }
users: [{ id: bob, annotations: { a: "0123456789" } }]
`;

test("counts merged annotations against the limit", () => {
  const { world, ask } = stubOver({ ledger }, "canton-3.5");
  const before = hashOfWorld(world);
  const response = ask(
    "/v2/users/bob",
    patch({ id: "bob", metadata: { annotations: { b: "0123456789" } } }, ["metadata"]),
  );
  expect(JSON.parse(response.text)).toMatchObject({ code: "MAX_USER_ANNOTATIONS_SIZE_EXCEEDED", errorCategory: 9 });
  expect(hashOfWorld(world)).toBe(before);
});

test("lets participant administrators update all users and provider administrators their own, and refuses self-deactivation", () => {
  const { ask } = stubOf("quickstart", "spec", "user");
  const by = (token: string, user: { readonly id: string; readonly identityProviderId?: string }, extra: object = {}) =>
    ask(`/v2/users/${user.id}`, { ...patch({ ...user, ...extra }, ["is_deactivated"]), token }).status;
  expect(by("participant_admin", { id: "bob" })).toBe(200);
  expect(by("bob", { id: "bob" })).toBe(403);
  expect(by("erin", { id: "erin", identityProviderId: "corporate" })).toBe(200);
  expect(by("erin", { id: "bob" })).toBe(403);
  expect(by("erin", { id: "bob", identityProviderId: "corporate" })).toBe(403);
  expect(by("participant_admin", { id: "participant_admin" }, { isDeactivated: true })).toBe(400);
  expect(by("", { id: "bob" })).toBe(401);
});

test.each([
  ["the longest name", { ["n".repeat(63)]: "x" }, 200],
  ["a longer name", { ["n".repeat(64)]: "x" }, 400],
  ["the longest prefix", { [`${"p".repeat(253)}/n`]: "x" }, 200],
  ["a longer prefix", { [`${"p".repeat(254)}/n`]: "x" }, 400],
  ["a prefix in capitals", { "Example.com/n": "x" }, 400],
  ["text of the maximum size", { a: "x".repeat(256 * 1024 - 1) }, 200],
] as const)("reads an annotation with %s", (_name, annotations, status) => {
  const { ask } = stubOf("quickstart", "canton-3.5");
  expect(ask("/v2/users/alice", patch({ id: "alice", metadata: { annotations } }, ["metadata"])).status).toBe(status);
});

test("counts annotations in bytes of UTF-8, without those to delete", () => {
  const status = (annotations: unknown) =>
    stubOver({ ledger }, "canton-3.5").ask(
      "/v2/users/bob",
      patch({ id: "bob", metadata: { annotations } }, ["metadata"]),
    ).status;
  expect([{ b: "12345678" }, { b: "123456789" }].map(status)).toEqual([200, 400]);
  const instead = (b: string) => status({ a: "", b });
  expect([instead("x".repeat(19)), instead("x".repeat(20))]).toEqual([200, 400]);
  expect([instead("é".repeat(9)), instead("é".repeat(10))]).toEqual([200, 400]);
});

test("ignores a self-deactivation that the mask does not name, and lets another administrator deactivate", () => {
  const { ask } = stubOf("quickstart", "canton-3.5", "user");
  const given = { id: "participant_admin", isDeactivated: true };
  const requested = { ...patch(given, ["metadata"]), token: "participant_admin" };
  expect(JSON.parse(ask("/v2/users/participant_admin", requested).text).user.isDeactivated).toBe(false);
  const other = { ...patch({ id: "bob", isDeactivated: true }, ["is_deactivated"]), token: "participant_admin" };
  expect(JSON.parse(ask("/v2/users/bob", other).text).user.isDeactivated).toBe(true);
});
