import type { Arbitrary } from "fast-check";
import type { Json } from "../../foundation/json/json.ts";
import { call, type Generators, members, oneOf, sequence, type Weighted, weighted } from "./_generators.ts";
import { ownUser, ref, type Step } from "./step.ts";

const unknownUser = "unknown-user";
const unknownParty = `unknown::1220${"b".repeat(64)}`;
const misnamedUser = "two words";

/** The users of the steps: all users, or only those that the run creates. */
export type Users = "all" | "own";

/** Steps on users and their rights. */
export function stepsOnUsers(generators: Generators, users: Users): readonly Weighted<Step>[] {
  const user = userIn(generators, users);
  const path = { "user-id": user };
  return [
    { arbitrary: users === "all" ? listed(generators) : listedWhole(generators), weight: 8 },
    { arbitrary: call(generators, "postV2Users", { body: created(generators, users) }), weight: 6 },
    { arbitrary: call(generators, "getV2UsersUser-id", { path }), weight: 6 },
    { arbitrary: call(generators, "getV2UsersUser-idRights", { path }), weight: 4 },
    { arbitrary: call(generators, "deleteV2UsersUser-id", { path }), weight: 2 },
    { arbitrary: granting(generators, "postV2UsersUser-idRights", user), weight: 10 },
    { arbitrary: granting(generators, "patchV2UsersUser-idRights", user), weight: 3 },
    { arbitrary: updating(generators, user), weight: 12 },
  ];
}

/** Sequences that grant, revoke and list rights, and that update a user twice. */
export function sequencesOnUsers(generators: Generators, users: Users): readonly Weighted<readonly Step[]>[] {
  const { fc } = generators;
  const user = userIn(generators, users);
  const granted = fc
    .record({
      grant: granting(generators, "postV2UsersUser-idRights", user),
      list: call(generators, "getV2UsersUser-idRights"),
    })
    .map(({ grant, list }) => {
      const shown = { ...list, path: grant.path };
      return [grant, { ...grant, operationId: "patchV2UsersUser-idRights" }, shown, grant];
    });
  const updated = fc
    .record({
      first: updating(generators, user),
      second: updating(generators, user),
      read: call(generators, "getV2UsersUser-id"),
    })
    .map(({ first, second, read }) => [first, second, { ...read, path: first.path }]);
  return [
    { arbitrary: sequence(generators, 4, granted), weight: 3 },
    { arbitrary: sequence(generators, 3, updated), weight: 2 },
  ];
}

function userIn(generators: Generators, users: Users): Arbitrary<Json> {
  const made = [ownUser(1), ownUser(2)];
  const known =
    users === "all" ? [...generators.inputs.users.slice(0, 2), ...made, ...generators.inputs.users.slice(2)] : made;
  const unknown = users === "all" ? [unknownUser, misnamedUser] : [ownUser(9)];
  return weighted(generators, oneOf<Json>(generators, ...known), oneOf<Json>(generators, ...unknown));
}

function listed(generators: Generators): Arbitrary<Step> {
  const query = {
    pageSize: oneOf<Json>(generators, null, 2, 1, 0, 1000, -1, "x"),
    pageToken: oneOf<Json>(generators, null, ref("pageToken"), ref("pageToken"), "", "garbage"),
  };
  return call(generators, "getV2Users", { query });
}

function listedWhole(generators: Generators): Arbitrary<Step> {
  const listing = call(generators, "getV2Users", { query: { pageSize: oneOf<Json>(generators, 1000, 100, 30) } });
  return listing.map((step) => ({ ...step, followsPages: true }));
}

function created(generators: Generators, users: Users): Arbitrary<Json> {
  const known = users === "all" ? generators.inputs.users.slice(0, 1) : [];
  const strange = users === "all" ? [...known, misnamedUser, ""] : [ownUser(1)];
  const user = members(generators, {
    id: weighted(
      generators,
      oneOf<Json>(generators, ownUser(1), ownUser(2), ownUser(3)),
      oneOf<Json>(generators, ...strange),
    ),
    ...attributes(generators),
  });
  return members(generators, { user, "rights?": rights(generators) });
}

function attributes(generators: Generators): Readonly<Record<string, Arbitrary<Json>>> {
  const providers = generators.inputs.identityProviders.slice(0, 1);
  return {
    "primaryParty?": weighted(
      generators,
      oneOf<Json>(generators, "", ...parties(generators), unknownParty),
      oneOf<Json>(generators, "no-party"),
    ),
    "isDeactivated?": oneOf<Json>(generators, false, true),
    "identityProviderId?": weighted(
      generators,
      oneOf<Json>(generators, ""),
      oneOf<Json>(generators, ...providers, "none-such"),
    ),
    "metadata?": members(generators, { "annotations?": annotations(generators) }),
  };
}

function annotations(generators: Generators): Arbitrary<Json> {
  const usual = members(generators, {
    "team?": oneOf<Json>(generators, "a", "b", ""),
    "room?": oneOf<Json>(generators, "1", ""),
  });
  return weighted<Json>(generators, usual, oneOf<Json>(generators, { "bad key": "x" }));
}

/** An update with attributes and a mask; attributes that the mask does not name must stay. */
function updating(generators: Generators, user: Arbitrary<Json>): Arbitrary<Step> {
  const { fc } = generators;
  const usual = ["is_deactivated", "primary_party", "metadata.annotations", "metadata", "primary_party_authentication"];
  const idle = ["id", "identity_provider_id", "metadata.resource_version"];
  const path = weighted(
    generators,
    oneOf<Json>(generators, ...usual, ...idle),
    oneOf<Json>(generators, "isDeactivated", ""),
  );
  const some = fc.array(path, { minLength: 1, maxLength: 2, size: "max" });
  const paths = weighted<Json>(generators, some, oneOf<Json>(generators, []));
  const version = weighted(
    generators,
    oneOf<Json>(generators, "", ref("resourceVersion")),
    oneOf<Json>(generators, "0", "x"),
  );
  const metadata = members(generators, { "annotations?": annotations(generators), "resourceVersion?": version });
  const given = { ...attributes(generators), "primaryPartyAuthentication?": oneOf<Json>(generators, false, true) };
  return fc
    .record({
      step: bare(generators, "patchV2UsersUser-id"),
      id: user,
      user: members(generators, { ...given, "metadata?": metadata }),
      paths,
    })
    .map(({ step, id, user: attributesOfUser, paths: named }) => ({
      ...step,
      path: { "user-id": id },
      body: { user: { id, ...attributesOfUser }, updateMask: { paths: named, unknownFields: { fields: {} } } },
    }));
}

function granting(generators: Generators, operationId: string, user: Arbitrary<Json>): Arbitrary<Step> {
  const { fc } = generators;
  const step = bare(generators, operationId);
  return fc
    .record({ step, id: user, rights: rights(generators), other: weighted<Json>(generators, fc.constant(null), user) })
    .map(({ step: drawn, id, rights: named, other }) => ({
      ...drawn,
      path: { "user-id": id },
      body: { userId: other ?? id, identityProviderId: "", rights: named },
    }));
}

/** A call whose path and body are filled in later, since both name the user. */
function bare(generators: Generators, operationId: string): Arbitrary<Step> {
  return call(generators, operationId, { body: generators.fc.constant({}) });
}

function rights(generators: Generators): Arbitrary<Json> {
  const { fc } = generators;
  const party = oneOf<Json>(generators, ...parties(generators), unknownParty);
  const ofParty = fc
    .tuple(fc.constantFrom("CanActAs", "CanReadAs", "CanExecuteAs"), party)
    .map(([kind, value]): Json => ({ kind: { [kind]: { value: { party: value } } } }));
  const plain = fc
    .constantFrom("CanReadAsAnyParty", "CanExecuteAsAnyParty", "IdentityProviderAdmin", "ParticipantAdmin")
    .map((kind): Json => ({ kind: { [kind]: { value: {} } } }));
  const strange = oneOf<Json>(
    generators,
    { kind: { Empty: {} } },
    { kind: { CanFly: { value: {} } } },
    { kind: { CanActAs: { value: { party: "no-party" } } } },
  );
  const right = weighted(generators, weighted(generators, ofParty, plain), strange);
  return fc.array(right, { maxLength: 2, size: "max" });
}

function parties({ inputs }: Generators): readonly Json[] {
  return inputs.parties.slice(0, 2);
}
