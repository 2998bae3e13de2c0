import type { Json, JsonObject } from "../../foundation/json/json.ts";
import { objectOf, objectsOf, textOf, textsOf, withoutUndefined } from "../../foundation/json/members.ts";
import type { Call } from "./call.ts";

/** The initial state of a user, inferred from responses. */
interface SeenUser {
  /** Whether it existed initially; undefined if unknown. */
  existed: boolean | undefined;
  /** Whether it was created or deleted since: then later responses do not show the initial state. */
  isSettled: boolean;
  readonly members: Map<string, Json>;
  readonly changed: Set<string>;
  readonly annotations: Map<string, Json>;
  readonly changedAnnotations: Set<string>;
  updates: number;
  version: bigint | undefined;
  readonly rights: Map<string, JsonObject>;
  readonly changedRights: Set<string>;
  /** Whether a request was refused as if another identity provider managed the user. */
  isForeign: boolean;
}

/** A page that is not the last one. */
interface FullPage {
  readonly lastId: string;
  readonly requested: number;
  readonly count: number;
}

/** Limit of users in one recording. */
const usersMax = 100_000;

const attributes = [
  ["primaryParty", "primary_party"],
  ["isDeactivated", "is_deactivated"],
  ["identityProviderId", "identity_provider_id"],
] as const;

/** The initial users, inferred from requests and responses. */
export class SeenUsers {
  readonly #users = new Map<string, SeenUser>();
  readonly #fullPages = new Map<string, FullPage>();

  note(call: Call): void {
    const { operation, path, status, response } = call;
    const id = path["user-id"] ?? textOf(objectOf(call.body)["userId"]);
    const isFine = status === 200;
    switch (operation.operationId) {
      case "getV2Users":
        if (isFine) this.#notePage(call);
        return;
      case "getV2UsersUser-id":
      case "getV2Authenticated-user":
        if (isFine) this.#show(objectOf(objectOf(response)["user"]));
        else this.#noteRefusal(id, call);
        return;
      case "postV2Users":
        this.#noteCreation(call);
        return;
      case "deleteV2UsersUser-id":
        if (isFine) this.#existing(id).isSettled = true;
        else this.#noteRefusal(id, call);
        return;
      case "patchV2UsersUser-id":
        if (isFine) this.#noteUpdate(call);
        else this.#noteRefusal(id, call);
        return;
      case "patchV2UsersUser-idIdentity-provider-id":
        if (isFine) this.#noteMove(id, objectOf(call.body));
        return;
      default:
        this.#noteRights(id, call);
    }
  }

  /** The ids of the initial users. */
  get ids(): readonly string[] {
    return [...this.#users].filter(([, user]) => hasExisted(user)).map(([id]) => id);
  }

  /** The rows of the fixture, by id. `otherProvider` manages the users of an unnamed identity provider. */
  rows(otherProvider: string): readonly JsonObject[] {
    const there = [...this.#users].filter(([, user]) => hasExisted(user));
    return there
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([id, user]) => rowOf(id, user, isElsewhere(user) ? otherProvider : ""));
  }

  /** Whether an identity provider that no response names seems to manage a user. */
  get hasForeign(): boolean {
    return [...this.#users.values()].some((user) => hasExisted(user) && isElsewhere(user));
  }

  /** Ids after which more users exist than responses show. */
  get unfinished(): readonly string[] {
    const ids = this.ids;
    return [...this.#fullPages.keys()].filter((lastId) => !ids.some((id) => id > lastId));
  }

  /** The identity providers that manage users. */
  get providers(): ReadonlySet<string> {
    const named = [...this.#users.values()].map(({ members }) => textOf(members.get("identityProviderId")));
    return new Set(named.filter((id) => id !== ""));
  }

  /** The page sizes that full pages show. */
  limits(): JsonObject {
    const pages = [...this.#fullPages.values()];
    return withoutUndefined({
      usersPageSizeDefault: pages.find(({ requested }) => requested === 0)?.count,
      usersPageSizeMax: pages.find(({ requested, count }) => requested > count)?.count,
    });
  }

  /** Notes that a user existed initially. */
  mustExist(id: string): void {
    if (id !== "") this.#existing(id);
  }

  /** Notes a right that another operation than a grant gave. */
  noteGranted(id: string, right: JsonObject): void {
    if (id !== "") this.#existing(id).changedRights.add(keyOf(right));
  }

  #user(id: string): SeenUser {
    const known = this.#users.get(id);
    if (known !== undefined) return known;
    const user: SeenUser = {
      existed: undefined,
      isSettled: false,
      members: new Map(),
      changed: new Set(),
      annotations: new Map(),
      changedAnnotations: new Set(),
      updates: 0,
      version: undefined,
      rights: new Map(),
      changedRights: new Set(),
      isForeign: false,
    };
    if (this.#users.size < usersMax) this.#users.set(id, user);
    return user;
  }

  #existing(id: string): SeenUser {
    const user = this.#user(id);
    if (!user.isSettled) user.existed ??= true;
    return user;
  }

  #show(shown: JsonObject): void {
    const id = textOf(shown["id"]);
    if (id === "") return;
    const user = this.#existing(id);
    if (user.isSettled) return;
    for (const [name] of attributes) this.#learn(user, name, shown[name]);
    const metadata = objectOf(shown["metadata"]);
    for (const [key, value] of Object.entries(objectOf(metadata["annotations"])))
      if (!user.changedAnnotations.has(key) && !user.annotations.has(key)) user.annotations.set(key, value);
    const version = textOf(metadata["resourceVersion"]);
    if (/^\d+$/.test(version)) user.version ??= BigInt(version) - BigInt(user.updates);
  }

  #learn(user: SeenUser, name: string, value: Json | undefined): void {
    if (value === undefined || value === null || user.changed.has(name) || user.members.has(name)) return;
    user.members.set(name, value);
  }

  #notePage({ query, response }: Call): void {
    const page = objectOf(response);
    const users = objectsOf(page["users"]);
    for (const user of users) this.#show(user);
    const lastId = textOf(users.at(-1)?.["id"]);
    if (textOf(page["nextPageToken"]) === "" || lastId === "") return;
    const requested = Number(query.find(([name]) => name === "pageSize")?.[1] ?? 0) || 0;
    if (this.#fullPages.size < usersMax) this.#fullPages.set(lastId, { lastId, requested, count: users.length });
  }

  #noteCreation({ body, status, errorCode }: Call): void {
    const id = textOf(objectOf(objectOf(body)["user"])["id"]);
    if (id === "") return;
    if (status !== 200) {
      if (errorCode === "USER_ALREADY_EXISTS") this.#existing(id);
      return;
    }
    const user = this.#user(id);
    if (!user.isSettled) user.existed ??= false;
    user.isSettled = true;
  }

  /** Notes an update: attributes in the mask change, the others stay. */
  #noteUpdate({ body, response }: Call): void {
    const [given, shown] = [objectOf(objectOf(body)["user"]), objectOf(objectOf(response)["user"])];
    const user = this.#existing(textOf(shown["id"]) || textOf(given["id"]));
    const mask = new Set(textsOf(objectOf(objectOf(body)["updateMask"])["paths"]));
    for (const [name, path] of attributes) if (mask.has(path)) user.changed.add(name);
    if (mask.has("metadata") || mask.has("metadata.annotations"))
      for (const key of Object.keys(objectOf(objectOf(given["metadata"])["annotations"])))
        user.changedAnnotations.add(key);
    user.updates += 1;
    this.#show(shown);
  }

  #noteMove(id: string, body: JsonObject): void {
    const user = this.#existing(id);
    this.#learn(user, "identityProviderId", body["sourceIdentityProviderId"]);
    user.changed.add("identityProviderId");
  }

  #noteRights(id: string, call: Call): void {
    const { operationId } = call.operation;
    if (!rightsOperations.has(operationId)) return;
    if (call.status !== 200) this.#noteRefusal(id, call);
    else if (operationId === "getV2UsersUser-idRights")
      this.#noteHeld(this.#existing(id), objectsOf(objectOf(call.response)["rights"]));
    else if (operationId === "postV2UsersUser-idRights") this.#noteGrant(this.#existing(id), call);
    else this.#noteRevocation(this.#existing(id), call);
  }

  /** Notes a grant: the user already had requested rights that are not new. */
  #noteGrant(user: SeenUser, { body, response }: Call): void {
    const granted = new Set(objectsOf(objectOf(response)["newlyGrantedRights"]).map(keyOf));
    const requested = objectsOf(objectOf(body)["rights"]);
    const held = requested.filter((right) => !granted.has(keyOf(right)));
    this.#noteHeld(user, held);
    for (const key of granted) user.changedRights.add(key);
  }

  #noteRevocation(user: SeenUser, { body, response }: Call): void {
    this.#noteHeld(user, objectsOf(objectOf(response)["newlyRevokedRights"]));
    for (const right of objectsOf(objectOf(body)["rights"])) user.changedRights.add(keyOf(right));
  }

  /** Notes current rights. The user had them initially unless a request changed them. */
  #noteHeld(user: SeenUser, rights: readonly JsonObject[]): void {
    if (user.isSettled) return;
    for (const right of rights) if (!user.changedRights.has(keyOf(right))) user.rights.set(keyOf(right), right);
  }

  #noteRefusal(id: string, { errorCode, status }: Call): void {
    if (id === "") return;
    const user = this.#users.get(id);
    if (errorCode === "USER_NOT_FOUND" && user === undefined) this.#user(id).existed = false;
    if (status === 403 && user?.members.has("identityProviderId") !== true && user?.isSettled !== true)
      this.#user(id).isForeign = true;
    if (ofExistingUsers.has(errorCode)) this.#existing(id);
  }
}

const rightsOperations: ReadonlySet<string> = new Set([
  "getV2UsersUser-idRights",
  "patchV2UsersUser-idRights",
  "postV2UsersUser-idRights",
]);

/** Errors that only an existing user can cause. */
const ofExistingUsers: ReadonlySet<string> = new Set([
  "CONCURRENT_USER_UPDATE_DETECTED",
  "MAX_USER_ANNOTATIONS_SIZE_EXCEEDED",
  "TOO_MANY_USER_RIGHTS",
]);

function keyOf(right: JsonObject): string {
  const [kind = "", wrapper] = Object.entries(objectOf(right["kind"]))[0] ?? [];
  return `${kind} ${textOf(objectOf(objectOf(wrapper)["value"])["party"])}`;
}

function isElsewhere({ isForeign, members }: SeenUser): boolean {
  return isForeign && !members.has("identityProviderId");
}

function hasExisted({ existed, isForeign }: SeenUser): boolean {
  return existed ?? isForeign;
}

function rowOf(id: string, user: SeenUser, otherProvider: string): JsonObject {
  const { members, annotations, rights, version } = user;
  const primaryParty = textOf(members.get("primaryParty"));
  const provider = textOf(members.get("identityProviderId")) || otherProvider;
  return withoutUndefined({
    id,
    primaryParty: primaryParty === "" ? undefined : primaryParty,
    deactivated: members.get("isDeactivated") === true ? true : undefined,
    identityProviderId: provider === "" ? undefined : provider,
    annotations: annotations.size === 0 ? undefined : Object.fromEntries(annotations),
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
