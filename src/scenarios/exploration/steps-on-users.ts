import type { Arbitrary } from "fast-check";
import type { Json } from "../../foundation/json/json.ts";
import { call, type Generators, members, oneOf, sequence, type Weighted, weighted } from "./_generators.ts";
import { own, recall, type Step } from "./step.ts";

const unknownUser = "nobody-here";
const unknownParty = `nobody::1220${"b".repeat(64)}`;
const misnamedUser = "two words";

/** Whose steps they are: all users, or those alone that the walk makes. */
export type Users = "all" | "own";

/** Steps on users and their rights. */
export function stepsOnUsers(drawing: Generators, users: Users): readonly Weighted<Step>[] {
  const user = userIn(drawing, users);
  const path = { "user-id": user };
  return [
    { arbitrary: users === "all" ? listed(drawing) : listedWhole(drawing), weight: 8 },
    { arbitrary: call(drawing, "postV2Users", { body: created(drawing, users) }), weight: 6 },
    { arbitrary: call(drawing, "getV2UsersUser-id", { path }), weight: 6 },
    { arbitrary: call(drawing, "getV2UsersUser-idRights", { path }), weight: 4 },
    { arbitrary: call(drawing, "deleteV2UsersUser-id", { path }), weight: 2 },
    { arbitrary: granting(drawing, "postV2UsersUser-idRights", user), weight: 10 },
    { arbitrary: granting(drawing, "patchV2UsersUser-idRights", user), weight: 3 },
    { arbitrary: updating(drawing, user), weight: 12 },
  ];
}

/** Rights that come and go, and are looked at; a page with the next one. */
export function sequencesOnUsers(drawing: Generators, users: Users): readonly Weighted<readonly Step[]>[] {
  const { fc } = drawing;
  const user = userIn(drawing, users);
  const granted = fc
    .record({
      grant: granting(drawing, "postV2UsersUser-idRights", user),
      list: call(drawing, "getV2UsersUser-idRights"),
    })
    .map(({ grant, list }) => {
      const shown = { ...list, path: grant.path };
      return [grant, { ...grant, operationId: "patchV2UsersUser-idRights" }, shown, grant];
    });
  const updated = fc
    .record({
      first: updating(drawing, user),
      second: updating(drawing, user),
      read: call(drawing, "getV2UsersUser-id"),
    })
    .map(({ first, second, read }) => [first, second, { ...read, path: first.path }]);
  return [
    { arbitrary: sequence(drawing, 4, granted), weight: 3 },
    { arbitrary: sequence(drawing, 3, updated), weight: 2 },
  ];
}

function userIn(drawing: Generators, users: Users): Arbitrary<Json> {
  const made = [own(1), own(2)];
  const known =
    users === "all" ? [...drawing.material.users.slice(0, 2), ...made, ...drawing.material.users.slice(2)] : made;
  const unknown = users === "all" ? [unknownUser, misnamedUser] : [own(9)];
  return weighted(drawing, oneOf<Json>(drawing, ...known), oneOf<Json>(drawing, ...unknown));
}

function listed(drawing: Generators): Arbitrary<Step> {
  const query = {
    pageSize: oneOf<Json>(drawing, null, 2, 1, 0, 1000, -1, "x"),
    pageToken: oneOf<Json>(drawing, null, recall("pageToken"), recall("pageToken"), "", "garbage"),
  };
  return call(drawing, "getV2Users", { query });
}

function listedWhole(drawing: Generators): Arbitrary<Step> {
  const listing = call(drawing, "getV2Users", { query: { pageSize: oneOf<Json>(drawing, 1000, 100, 30) } });
  return listing.map((step) => ({ ...step, followsPages: true }));
}

function created(drawing: Generators, users: Users): Arbitrary<Json> {
  const known = users === "all" ? drawing.material.users.slice(0, 1) : [];
  const strange = users === "all" ? [...known, misnamedUser, ""] : [own(1)];
  const user = members(drawing, {
    id: weighted(drawing, oneOf<Json>(drawing, own(1), own(2), own(3)), oneOf<Json>(drawing, ...strange)),
    ...attributes(drawing),
  });
  return members(drawing, { user, "rights?": rights(drawing) });
}

function attributes(drawing: Generators): Readonly<Record<string, Arbitrary<Json>>> {
  const providers = drawing.material.identityProviders.slice(0, 1);
  return {
    "primaryParty?": weighted(
      drawing,
      oneOf<Json>(drawing, "", ...parties(drawing), unknownParty),
      oneOf<Json>(drawing, "no-party"),
    ),
    "isDeactivated?": oneOf<Json>(drawing, false, true),
    "identityProviderId?": weighted(drawing, oneOf<Json>(drawing, ""), oneOf<Json>(drawing, ...providers, "none-such")),
    "metadata?": members(drawing, { "annotations?": annotations(drawing) }),
  };
}

function annotations(drawing: Generators): Arbitrary<Json> {
  const usual = members(drawing, {
    "team?": oneOf<Json>(drawing, "a", "b", ""),
    "room?": oneOf<Json>(drawing, "1", ""),
  });
  return weighted<Json>(drawing, usual, oneOf<Json>(drawing, { "bad key": "x" }));
}

/** The update that names attributes and the mask that names paths; what the mask leaves out must stay. */
function updating(drawing: Generators, user: Arbitrary<Json>): Arbitrary<Step> {
  const { fc } = drawing;
  const usual = ["is_deactivated", "primary_party", "metadata.annotations", "metadata", "primary_party_authentication"];
  const idle = ["id", "identity_provider_id", "metadata.resource_version"];
  const path = weighted(drawing, oneOf<Json>(drawing, ...usual, ...idle), oneOf<Json>(drawing, "isDeactivated", ""));
  const some = fc.array(path, { minLength: 1, maxLength: 2, size: "max" });
  const paths = weighted<Json>(drawing, some, oneOf<Json>(drawing, []));
  const version = weighted(
    drawing,
    oneOf<Json>(drawing, "", recall("resourceVersion")),
    oneOf<Json>(drawing, "0", "x"),
  );
  const metadata = members(drawing, { "annotations?": annotations(drawing), "resourceVersion?": version });
  const given = { ...attributes(drawing), "primaryPartyAuthentication?": oneOf<Json>(drawing, false, true) };
  return fc
    .record({
      step: bare(drawing, "patchV2UsersUser-id"),
      id: user,
      user: members(drawing, { ...given, "metadata?": metadata }),
      paths,
    })
    .map(({ step, id, user: attributesOfUser, paths: named }) => ({
      ...step,
      path: { "user-id": id },
      body: { user: { id, ...attributesOfUser }, updateMask: { paths: named, unknownFields: { fields: {} } } },
    }));
}

function granting(drawing: Generators, operationId: string, user: Arbitrary<Json>): Arbitrary<Step> {
  const { fc } = drawing;
  const step = bare(drawing, operationId);
  return fc
    .record({ step, id: user, rights: rights(drawing), other: weighted<Json>(drawing, fc.constant(null), user) })
    .map(({ step: drawn, id, rights: named, other }) => ({
      ...drawn,
      path: { "user-id": id },
      body: { userId: other ?? id, identityProviderId: "", rights: named },
    }));
}

/** A call whose user stands in its path and in its body. */
function bare(drawing: Generators, operationId: string): Arbitrary<Step> {
  return call(drawing, operationId, { body: drawing.fc.constant({}) });
}

function rights(drawing: Generators): Arbitrary<Json> {
  const { fc } = drawing;
  const party = oneOf<Json>(drawing, ...parties(drawing), unknownParty);
  const ofParty = fc
    .tuple(fc.constantFrom("CanActAs", "CanReadAs", "CanExecuteAs"), party)
    .map(([kind, value]): Json => ({ kind: { [kind]: { value: { party: value } } } }));
  const plain = fc
    .constantFrom("CanReadAsAnyParty", "CanExecuteAsAnyParty", "IdentityProviderAdmin", "ParticipantAdmin")
    .map((kind): Json => ({ kind: { [kind]: { value: {} } } }));
  const strange = oneOf<Json>(
    drawing,
    { kind: { Empty: {} } },
    { kind: { CanFly: { value: {} } } },
    { kind: { CanActAs: { value: { party: "no-party" } } } },
  );
  const right = weighted(drawing, weighted(drawing, ofParty, plain), strange);
  return fc.array(right, { maxLength: 2, size: "max" });
}

function parties({ material }: Generators): readonly Json[] {
  return material.parties.slice(0, 2);
}
