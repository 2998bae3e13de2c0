import type { Json, JsonObject } from "../../foundation/json/json.ts";
import { objectOf, objectsOf, textOf, textsOf, withoutUndefined } from "../../foundation/json/members.ts";
import type { Call } from "./call.ts";

/** The initial state of a user, as responses show it. */
interface SeenUser {
  readonly existed: boolean;
  /** Whether it was created or deleted since: then later responses do not show the initial state. */
  isSettled: boolean;
  /** Attributes, and annotations with a prefix. */
  readonly members: Map<string, Json>;
  readonly rights: Map<string, JsonObject>;
  /** Attributes, annotations and rights that requests changed. */
  readonly changed: Set<string>;
  updates: number;
  version: bigint | undefined;
}

/** Limit of users in one recording. */
const usersMax = 100_000;

const attributes = [
  ["primaryParty", "primary_party"],
  ["isDeactivated", "is_deactivated"],
  ["identityProviderId", "identity_provider_id"],
] as const;
const annotationPrefix = "annotation ";

/** The initial users. Changes that requests made are counted back. */
export class SeenUsers {
  readonly #users = new Map<string, SeenUser>();

  note({ operation, path, status, errorCode, body, response }: Call): void {
    const id = path["user-id"] ?? "";
    const [given, shown] = [objectOf(body), objectOf(response)];
    const created = textOf(objectOf(given["user"])["id"]);
    if (errorCode === "USER_ALREADY_EXISTS") this.#user(created, true);
    if (status !== 200) return;
    switch (operation.operationId) {
      case "getV2Users":
        for (const user of objectsOf(shown["users"])) this.#show(user);
        return;
      case "getV2UsersUser-id":
      case "getV2Authenticated-user":
        this.#show(objectOf(shown["user"]));
        return;
      case "postV2Users":
        this.#user(created, false).isSettled = true;
        return;
      case "deleteV2UsersUser-id":
        this.#user(id, true).isSettled = true;
        return;
      case "patchV2UsersUser-id":
        this.#noteUpdate(given, objectOf(shown["user"]));
        return;
      case "patchV2UsersUser-idIdentity-provider-id":
        this.#learn(this.#user(id, true), "identityProviderId", given["sourceIdentityProviderId"]);
        this.#user(id, true).changed.add("identityProviderId");
        return;
      case "getV2UsersUser-idRights":
        this.#noteHeld(id, objectsOf(shown["rights"]));
        return;
      case "postV2UsersUser-idRights":
        this.#noteGrant(id, objectsOf(given["rights"]), objectsOf(shown["newlyGrantedRights"]));
        return;
      case "patchV2UsersUser-idRights":
        this.#noteHeld(id, objectsOf(shown["newlyRevokedRights"]));
        for (const right of objectsOf(given["rights"])) this.#user(id, true).changed.add(keyOf(right));
        return;
      default:
    }
  }

  /** The rows of the fixture, by id. */
  rows(): readonly JsonObject[] {
    const there = [...this.#users].filter(([id, { existed }]) => existed && id !== "");
    return there.sort(([left], [right]) => (left < right ? -1 : 1)).map(([id, user]) => rowOf(id, user));
  }

  /** Notes a right that the allocation of a party gave. */
  noteGranted(id: string, right: JsonObject): void {
    this.#user(id, true).changed.add(keyOf(right));
  }

  #user(id: string, existed: boolean): SeenUser {
    const known = this.#users.get(id);
    if (known !== undefined) return known;
    const user: SeenUser = {
      existed,
      isSettled: false,
      members: new Map(),
      rights: new Map(),
      changed: new Set(),
      updates: 0,
      version: undefined,
    };
    if (this.#users.size < usersMax) this.#users.set(id, user);
    return user;
  }

  #show(shown: JsonObject): void {
    const user = this.#user(textOf(shown["id"]), true);
    const metadata = objectOf(shown["metadata"]);
    for (const [name] of attributes) this.#learn(user, name, shown[name]);
    for (const [key, value] of Object.entries(objectOf(metadata["annotations"])))
      this.#learn(user, `${annotationPrefix}${key}`, value);
    const version = textOf(metadata["resourceVersion"]);
    if (/^\d+$/.test(version)) user.version ??= BigInt(version) - BigInt(user.updates);
  }

  #learn({ isSettled, changed, members }: SeenUser, name: string, value: Json | undefined): void {
    if (value === undefined || value === null || isSettled || changed.has(name) || members.has(name)) return;
    members.set(name, value);
  }

  /** Notes an update: attributes in the mask change, the others stay. */
  #noteUpdate(given: JsonObject, shown: JsonObject): void {
    const user = this.#user(textOf(shown["id"]), true);
    const mask = new Set(textsOf(objectOf(given["updateMask"])["paths"]));
    for (const [name, path] of attributes) if (mask.has(path)) user.changed.add(name);
    if (mask.has("metadata") || mask.has("metadata.annotations"))
      for (const key of Object.keys(objectOf(objectOf(objectOf(given["user"])["metadata"])["annotations"])))
        user.changed.add(`${annotationPrefix}${key}`);
    user.updates += 1;
    this.#show(shown);
  }

  /** Notes a grant: the user already had requested rights that are not new. */
  #noteGrant(id: string, requested: readonly JsonObject[], isNew: readonly JsonObject[]): void {
    const granted = new Set(isNew.map(keyOf));
    this.#noteHeld(
      id,
      requested.filter((right) => !granted.has(keyOf(right))),
    );
    for (const key of granted) this.#user(id, true).changed.add(key);
  }

  /** Notes current rights. The user had them initially unless a request changed them. */
  #noteHeld(id: string, rights: readonly JsonObject[]): void {
    const user = this.#user(id, true);
    if (user.isSettled) return;
    for (const right of rights) if (!user.changed.has(keyOf(right))) user.rights.set(keyOf(right), right);
  }
}

function keyOf(right: JsonObject): string {
  const [kind = "", wrapper] = Object.entries(objectOf(right["kind"]))[0] ?? [];
  return `right ${kind} ${textOf(objectOf(objectOf(wrapper)["value"])["party"])}`;
}

function rowOf(id: string, { members, rights, version }: SeenUser): JsonObject {
  const annotations = [...members].filter(([name]) => name.startsWith(annotationPrefix));
  return withoutUndefined({
    id,
    primaryParty: textOf(members.get("primaryParty")) || undefined,
    deactivated: members.get("isDeactivated") === true ? true : undefined,
    identityProviderId: textOf(members.get("identityProviderId")) || undefined,
    annotations:
      annotations.length === 0
        ? undefined
        : Object.fromEntries(annotations.map(([name, value]) => [name.slice(annotationPrefix.length), value])),
    resourceVersion: version === undefined || version <= 0n ? undefined : version.toString(),
    rights: rights.size === 0 ? undefined : [...rights.values()].flatMap(rightRow),
  });
}

/** A right as a fixture has it: by name, or with its party. */
function rightRow(right: JsonObject): readonly Json[] {
  const [kind, wrapper] = Object.entries(objectOf(right["kind"]))[0] ?? [];
  if (kind === undefined || kind === "Empty") return [];
  const party = textOf(objectOf(objectOf(wrapper)["value"])["party"]);
  return [party === "" ? kind : { [kind]: party }];
}
