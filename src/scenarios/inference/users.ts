import type { Json, JsonObject } from "../../foundation/json/json.ts";
import { objectOf, objectsOf, textOf, textsOf, withoutUndefined } from "../../foundation/json/members.ts";
import type { RecordedCall } from "./recorded-call.ts";
import { SeenEntities } from "./seen-entities.ts";

/** Attributes with their update mask paths. */
const attributes = [
  ["primaryParty", "primary_party"],
  ["isDeactivated", "is_deactivated"],
  ["identityProviderId", "identity_provider_id"],
] as const;
const annotationPrefix = "annotation ";
const rightPrefix = "right ";

/** The initial users. Changes that requests made are counted back. */
export class SeenUsers {
  readonly #users = new SeenEntities();

  note({ operation, path, status, errorCode, body, response }: RecordedCall): void {
    const id = path["user-id"] ?? "";
    const [given, shown] = [objectOf(body), objectOf(response)];
    const created = textOf(objectOf(given["user"])["id"]);
    if (errorCode === "USER_ALREADY_EXISTS") this.#users.of(created);
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
        this.#users.of(created, false).settle();
        return;
      case "deleteV2UsersUser-id":
        this.#users.of(id).settle();
        return;
      case "patchV2UsersUser-id":
        this.#noteUpdate(given, objectOf(shown["user"]));
        return;
      case "patchV2UsersUser-idIdentity-provider-id":
        this.#users.of(id).show("identityProviderId", given["sourceIdentityProviderId"]);
        this.#users.of(id).change("identityProviderId");
        return;
      case "getV2UsersUser-idRights":
        this.#noteHeld(id, objectsOf(shown["rights"]));
        return;
      case "postV2UsersUser-idRights":
        this.#noteGrant(id, objectsOf(given["rights"]), objectsOf(shown["newlyGrantedRights"]));
        return;
      case "patchV2UsersUser-idRights":
        this.#noteHeld(id, objectsOf(shown["newlyRevokedRights"]));
        for (const right of objectsOf(given["rights"])) this.noteChanged(id, right);
        return;
      default:
    }
  }

  rows(): readonly JsonObject[] {
    return this.#users.rows(rowOf);
  }

  /** Notes a right that a request granted or revoked. */
  noteChanged(id: string, right: JsonObject): void {
    this.#users.of(id).change(keyOf(right));
  }

  #show(shown: JsonObject): void {
    const user = this.#users.of(textOf(shown["id"]));
    const metadata = objectOf(shown["metadata"]);
    for (const [name] of attributes) user.show(name, shown[name]);
    for (const [key, value] of Object.entries(objectOf(metadata["annotations"])))
      user.show(`${annotationPrefix}${key}`, value);
    const version = textOf(metadata["resourceVersion"]);
    if (/^\d+$/.test(version)) user.show("resourceVersion", BigInt(version) - BigInt(user.updates));
  }

  /** Notes an update: attributes in the mask change, the others stay. */
  #noteUpdate(given: JsonObject, shown: JsonObject): void {
    const user = this.#users.of(textOf(shown["id"]));
    const mask = new Set(textsOf(objectOf(given["updateMask"])["paths"]));
    for (const [name, path] of attributes) if (mask.has(path)) user.change(name);
    if (mask.has("metadata") || mask.has("metadata.annotations"))
      for (const key of Object.keys(objectOf(objectOf(objectOf(given["user"])["metadata"])["annotations"])))
        user.change(`${annotationPrefix}${key}`);
    user.updates += 1;
    this.#show(shown);
  }

  /** Notes a grant: the user already had requested rights that are not new. */
  #noteGrant(id: string, requested: readonly JsonObject[], granted: readonly JsonObject[]): void {
    const isNew = new Set(granted.map(keyOf));
    this.#noteHeld(
      id,
      requested.filter((right) => !isNew.has(keyOf(right))),
    );
    for (const right of granted) this.noteChanged(id, right);
  }

  /** Notes current rights. The user had them initially unless a request changed them. */
  #noteHeld(id: string, rights: readonly JsonObject[]): void {
    for (const right of rights) this.#users.of(id).show(keyOf(right), right);
  }
}

function keyOf(right: JsonObject): string {
  const [kind = "", wrapper] = Object.entries(objectOf(right["kind"]))[0] ?? [];
  return `${rightPrefix}${kind} ${textOf(objectOf(objectOf(wrapper)["value"])["party"])}`;
}

function rowOf(id: string, members: ReadonlyMap<string, Json>): JsonObject {
  const withPrefix = (prefix: string) =>
    [...members].flatMap(([name, value]) =>
      name.startsWith(prefix) ? [[name.slice(prefix.length), value] as const] : [],
    );
  const [annotations, rights] = [withPrefix(annotationPrefix), withPrefix(rightPrefix)];
  const version = members.get("resourceVersion");
  return withoutUndefined({
    id,
    primaryParty: textOf(members.get("primaryParty")) || undefined,
    deactivated: members.get("isDeactivated") === true ? true : undefined,
    identityProviderId: textOf(members.get("identityProviderId")) || undefined,
    annotations: annotations.length === 0 ? undefined : Object.fromEntries(annotations),
    resourceVersion: typeof version === "bigint" && version > 0n ? version.toString() : undefined,
    rights: rights.length === 0 ? undefined : rights.flatMap(([, right]) => rightRow(objectOf(right))),
  });
}

/** A right as a fixture has it: by name, or with its party. */
function rightRow(right: JsonObject): readonly Json[] {
  const [kind, wrapper] = Object.entries(objectOf(right["kind"]))[0] ?? [];
  if (kind === undefined || kind === "Empty") return [];
  const party = textOf(objectOf(objectOf(wrapper)["value"])["party"]);
  return [party === "" ? kind : { [kind]: party }];
}
