import { expect, test } from "vitest";
import { stubOver } from "./_stub.ts";

const ledger = `participantId: p::1220ab
synchronizers: [{ alias: a, id: "a::1220ab" }]
packages: [{ id: ${"ab".repeat(32)}, name: app, version: 1.0.0 }]
users: [{ id: admin, rights: [ParticipantAdmin] }, { id: alice }]
`;
const planned = (...entries: readonly string[]) => {
  const stub = stubOver(
    { ledger, extension: `plan:\n${entries.map((entry) => `  - ${entry}\n`).join("")}` },
    "canton-3.5",
  );
  const ask = (target: string, headers: readonly (readonly [string, string])[] = []) =>
    stub.ask(target, { token: "admin", headers });
  return { ask, world: stub.world };
};
const failing = "instead: { status: 503 }";

test("an entry matches by a parameter of the path, a header field and what is absent", () => {
  const { ask } = planned(
    `{ on: getV2UsersUser-id, times: all, match: { path: { user-id: alice }, headers: { X-Tenant: a } }, ${failing} }`,
    `{ on: getV2Users, times: all, match: { absent: { query: [pageSize], headers: [X-Tenant] } }, ${failing} }`,
  );
  const tenant = [["x-tenant", "a"]] as const;
  expect(ask("/v2/users/alice", tenant).status).toBe(503);
  expect(ask("/v2/users/alice").status).toBe(200);
  expect(ask("/v2/users/admin", tenant).status).toBe(200);
  expect(ask("/v2/users").status).toBe(503);
  expect(ask("/v2/users", tenant).status).toBe(200);
  expect(ask("/v2/users?pageSize=2").status).toBe(200);
});

test.each([
  ["every: 3", [200, 200, 503, 200, 200, 503, 200, 200]],
  ["every: 3, nth: 1, times: 2", [503, 200, 200, 503, 200, 200, 200, 200]],
  ["nth: 2, times: 2", [200, 503, 503, 200, 200, 200, 200, 200]],
])("an entry with %s responds to these calls", (when, statuses) => {
  const { ask } = planned(`{ on: getV2Users, ${when}, ${failing} }`);
  expect(statuses.map(() => ask("/v2/users").status)).toEqual(statuses);
});

test("a planned body has values of the request", () => {
  const { ask } = planned(
    "{ on: getV2UsersUser-id, times: all, instead: { status: 200, body: { id: $request.path.user-id, a: ['{$request.header.x-a}-{$request.query.b}'] } } }",
  );
  expect(JSON.parse(ask("/v2/users/al%22ice?b=2", [["X-A", "1"]]).text)).toEqual({ id: 'al"ice', a: ["1-2"] });
});

test("entries create, change and delete users, grant and revoke rights, and vet packages", () => {
  const { ask, world } = planned(
    "{ on: getV2Users, nth: 1, createUser: { id: nina, rights: [ParticipantAdmin] } }",
    "{ on: getV2Users, nth: 2, grantRights: { user: alice, rights: [CanReadAsAnyParty] } }",
    "{ on: getV2Users, nth: 3, revokeRights: { user: nina, rights: [ParticipantAdmin] } }",
    "{ on: getV2Users, nth: 4, deleteUser: alice }",
    `{ on: getV2Users, nth: 4, vetPackages: { synchronizer: a, packages: [${"ab".repeat(32)}] } }`,
  );
  const rights = (user: string) => JSON.parse(ask(`/v2/users/${user}/rights`).text).rights;
  ask("/v2/users");
  expect(rights("nina")).toHaveLength(1);
  ask("/v2/users");
  expect(rights("alice")).toHaveLength(1);
  ask("/v2/users");
  expect(rights("nina")).toHaveLength(0);
  expect(world.state.ledger.synchronizers.get("a::1220ab")?.vetted.size).toBe(0);
  ask("/v2/users");
  expect(ask("/v2/users/alice").status).toBe(404);
  expect(world.state.ledger.synchronizers.get("a::1220ab")?.vetted.size).toBe(1);
});
