import type { Json } from "../../../foundation/json/json.ts";
import type { Spec } from "../../../foundation/spec/spec.ts";
import { listAt, memberAt, objectAt } from "../members.ts";
import type { CheckedExchange } from "../rule.ts";

/** Operations whose responses show users. */
export const usersShowing: readonly string[] = [
  "getV2Users",
  "getV2UsersUser-id",
  "postV2Users",
  "patchV2UsersUser-id",
  "getV2Authenticated-user",
];

/** The users that a successful response shows, each with its JSON pointer. */
export function shownUsers({ operation, status, responseJson }: CheckedExchange): readonly UserPlace[] {
  if (status !== 200 || !usersShowing.includes(operation.operationId)) return [];
  if (operation.operationId !== "getV2Users") return [{ user: memberAt(responseJson, "user") ?? null, place: "/user" }];
  return listAt(responseJson, "users").map((user, index) => ({ user, place: `/users/${index}` }));
}

interface UserPlace {
  readonly user: Json;
  readonly place: string;
}

/** The attributes that an update can change, with the mask paths that name them. */
export const attributes: readonly Attribute[] = [
  { member: "primaryParty", paths: ["primary_party", "primaryParty"], absent: "" },
  { member: "isDeactivated", paths: ["is_deactivated", "isDeactivated"], absent: false },
  {
    member: "primaryPartyAuthentication",
    paths: ["primary_party_authentication", "primaryPartyAuthentication"],
    absent: false,
  },
];

interface Attribute {
  readonly member: string;
  readonly paths: readonly string[];
  /** The meaning of a missing or null member in the releases. The spec does not say what it means. */
  readonly absent: Json;
}

/** The mask paths of the annotations; both mean the same (Canton 3.5, ApiUserManagementService.scala). */
export const annotationPaths: readonly string[] = ["metadata", "metadata.annotations"];

/** The attribute; undefined if the user does not show it. */
export function shownAttribute(user: Json | undefined, { member }: Attribute): Json | undefined {
  return memberAt(user, member) ?? undefined;
}

export function attributeOf(user: Json | undefined, { member, absent }: Attribute): Json {
  return memberAt(user, member) ?? absent;
}

/** Whether the spec of the profile shows the annotations in metadata. */
export function areAnnotationsDescribed({ descriptions }: Spec): boolean {
  const path = ["components", "schemas", "ObjectMeta", "properties", "annotations"];
  return memberAt(descriptions.ledger, ...path) !== undefined;
}

export function annotationsOf(user: Json | undefined): Readonly<Record<string, Json>> {
  return objectAt(user, "metadata", "annotations") ?? {};
}

/**
 * Annotations after an update: given keys are set, keys with an empty text are removed, others stay (Canton 3.5,
 * ApiUserManagementService.scala).
 */
export function annotationsAfter(
  before: Readonly<Record<string, Json>>,
  given: Readonly<Record<string, Json>>,
): Readonly<Record<string, Json>> {
  return Object.fromEntries(Object.entries({ ...before, ...given }).filter(([, value]) => value !== ""));
}

export function maskPaths(request: Json | undefined): readonly string[] {
  const paths = memberAt(request, "updateMask", "paths");
  return Array.isArray(paths) ? paths.filter((path) => typeof path === "string") : [];
}
