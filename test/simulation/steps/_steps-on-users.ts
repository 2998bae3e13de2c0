import type { Arbitrary } from "fast-check";
import * as fc from "fast-check";
import type { Json } from "../../../src/foundation/json/json.ts";
import { call, members, oneOf, sequence, type Weighted, weighted } from "./_generators.ts";
import type { WalkInputs } from "./_inputs.ts";
import { ownUser, ref, type Step } from "./_step.ts";

const unknownUser = "unknown-user";
const unknownParty = `unknown::1220${"b".repeat(64)}`;
const misnamedUser = "two words";

/** Steps on users and their rights. */
export function stepsOnUsers(inputs: WalkInputs): readonly Weighted<Step>[] {
  const user = userIn(inputs);
  const path = { "user-id": user };
  return [
    { arbitrary: listed(), weight: 8 },
    { arbitrary: call("postV2Users", { body: created(inputs) }), weight: 6 },
    { arbitrary: call("getV2UsersUser-id", { path }), weight: 6 },
    { arbitrary: call("getV2UsersUser-idRights", { path }), weight: 4 },
    { arbitrary: call("deleteV2UsersUser-id", { path }), weight: 2 },
    { arbitrary: granting(inputs, "postV2UsersUser-idRights", user), weight: 10 },
    { arbitrary: granting(inputs, "patchV2UsersUser-idRights", user), weight: 3 },
    { arbitrary: updating(inputs, user), weight: 12 },
  ];
}

/** Sequences that grant, revoke and list rights, and that update a user twice. */
export function sequencesOnUsers(inputs: WalkInputs): readonly Weighted<readonly Step[]>[] {
  const user = userIn(inputs);
  const granted = fc
    .record({
      grant: granting(inputs, "postV2UsersUser-idRights", user),
      list: call("getV2UsersUser-idRights"),
    })
    .map(({ grant, list }) => {
      const shown = { ...list, path: grant.path };
      return [grant, { ...grant, operationId: "patchV2UsersUser-idRights" }, shown, grant];
    });
  const updated = fc
    .record({
      first: updating(inputs, user),
      second: updating(inputs, user),
      read: call("getV2UsersUser-id"),
    })
    .map(({ first, second, read }) => [first, second, { ...read, path: first.path }]);
  return [
    { arbitrary: sequence(4, granted), weight: 3 },
    { arbitrary: sequence(3, updated), weight: 2 },
  ];
}

function userIn(inputs: WalkInputs): Arbitrary<Json> {
  const { users } = inputs;
  const known = [...users.slice(0, 2), ownUser(1), ownUser(2), ...users.slice(2)];
  return weighted(oneOf<Json>(...known), oneOf<Json>(unknownUser, misnamedUser));
}

function listed(): Arbitrary<Step> {
  const query = {
    pageSize: oneOf<Json>(null, 2, 1, 0, 1000, -1, "x"),
    pageToken: oneOf<Json>(null, ref("pageToken"), ref("pageToken"), "", "garbage"),
  };
  return call("getV2Users", { query });
}

function created(inputs: WalkInputs): Arbitrary<Json> {
  const strange = [...inputs.users.slice(0, 1), misnamedUser, ""];
  const user = members({
    id: weighted(oneOf<Json>(ownUser(1), ownUser(2), ownUser(3)), oneOf<Json>(...strange)),
    ...attributes(inputs),
  });
  return members({ user, "rights?": rights(inputs) });
}

function attributes(inputs: WalkInputs): Readonly<Record<string, Arbitrary<Json>>> {
  const providers = inputs.identityProviders.slice(0, 1);
  return {
    "primaryParty?": weighted(oneOf<Json>("", ...parties(inputs), unknownParty), oneOf<Json>("no-party")),
    "isDeactivated?": oneOf<Json>(false, true),
    "identityProviderId?": weighted(oneOf<Json>(""), oneOf<Json>(...providers, "none-such")),
    "metadata?": members({ "annotations?": annotations() }),
  };
}

function annotations(): Arbitrary<Json> {
  const usual = members({
    "team?": oneOf<Json>("a", "b", ""),
    "room?": oneOf<Json>("1", ""),
  });
  return weighted<Json>(usual, oneOf<Json>({ "bad key": "x" }));
}

/** An update with attributes and a mask; attributes that the mask does not name must stay. */
function updating(inputs: WalkInputs, user: Arbitrary<Json>): Arbitrary<Step> {
  const usual = ["is_deactivated", "primary_party", "metadata.annotations", "metadata", "primary_party_authentication"];
  const idle = ["id", "identity_provider_id", "metadata.resource_version"];
  const path = weighted(oneOf<Json>(...usual, ...idle), oneOf<Json>("isDeactivated", ""));
  const some = fc.array(path, { minLength: 1, maxLength: 2, size: "max" });
  const paths = weighted<Json>(some, oneOf<Json>([]));
  const version = weighted(oneOf<Json>("", ref("resourceVersion")), oneOf<Json>("0", "x"));
  const metadata = members({ "annotations?": annotations(), "resourceVersion?": version });
  const given = { ...attributes(inputs), "primaryPartyAuthentication?": oneOf<Json>(false, true) };
  return fc
    .record({
      step: bare("patchV2UsersUser-id"),
      id: user,
      user: members({ ...given, "metadata?": metadata }),
      paths,
    })
    .map(({ step, id, user: attributesOfUser, paths: named }) => ({
      ...step,
      path: { "user-id": id },
      body: { user: { id, ...attributesOfUser }, updateMask: { paths: named, unknownFields: { fields: {} } } },
    }));
}

function granting(inputs: WalkInputs, operationId: string, user: Arbitrary<Json>): Arbitrary<Step> {
  const step = bare(operationId);
  return fc
    .record({ step, id: user, rights: rights(inputs), other: weighted<Json>(fc.constant(null), user) })
    .map(({ step: drawn, id, rights: named, other }) => ({
      ...drawn,
      path: { "user-id": id },
      body: { userId: other ?? id, identityProviderId: "", rights: named },
    }));
}

/** A call whose path and body are filled in later, since both name the user. */
function bare(operationId: string): Arbitrary<Step> {
  return call(operationId, { body: fc.constant({}) });
}

function rights(inputs: WalkInputs): Arbitrary<Json> {
  const party = oneOf<Json>(...parties(inputs), unknownParty);
  const ofParty = fc
    .tuple(fc.constantFrom("CanActAs", "CanReadAs", "CanExecuteAs"), party)
    .map(([kind, value]): Json => ({ kind: { [kind]: { value: { party: value } } } }));
  const plain = fc
    .constantFrom("CanReadAsAnyParty", "CanExecuteAsAnyParty", "IdentityProviderAdmin", "ParticipantAdmin")
    .map((kind): Json => ({ kind: { [kind]: { value: {} } } }));
  const strange = oneOf<Json>(
    { kind: { Empty: {} } },
    { kind: { CanFly: { value: {} } } },
    { kind: { CanActAs: { value: { party: "no-party" } } } },
  );
  const right = weighted(weighted(ofParty, plain), strange);
  return fc.array(right, { maxLength: 2, size: "max" });
}

function parties(inputs: WalkInputs): readonly Json[] {
  return inputs.parties.slice(0, 2);
}
