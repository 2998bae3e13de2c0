import { type Archive, archiveOf } from "../archive-of.ts";
import { ARG, get, listOf, set, THIS } from "../expressions.ts";
import { type Choice, template } from "../templates.ts";
import { con, contractId, INT64, type Members, optional, PARTY, TEXT, type Type } from "../types.ts";
import { create } from "../updates.ts";

const Profile = con("Profile");

const change = (name: string, field: string, type: Type): Choice => ({
  name,
  argument: { [field]: type },
  result: contractId(Profile),
  controllers: listOf(PARTY, get(Profile, "owner", THIS)),
  body: create("Profile", set(Profile, field, THIS, get(con(name), field, ARG))),
});

const profile = (version: string, fields: Members, choices: readonly Choice[], upgrades?: Archive): Archive =>
  archiveOf({
    name: "profile",
    version,
    ...(upgrades && { upgrades }),
    modules: {
      Profile: template({
        name: "Profile",
        fields,
        signatories: listOf(PARTY, get(Profile, "owner", THIS)),
        choices,
      }),
    },
  });

const first: Members = { owner: PARTY, name: TEXT };
const rename = change("Rename", "name", TEXT);

export const PROFILE_V1: Archive = profile("1.0.0", first, [rename]);

/** A valid upgrade: one more field at the end, which is optional, and one more choice. */
export const PROFILE_V2: Archive = profile(
  "2.0.0",
  { ...first, nickname: optional(TEXT) },
  [rename, change("SetNickname", "nickname", optional(TEXT))],
  PROFILE_V1,
);

/** An invalid upgrade: the new field is not optional. */
export const PROFILE_WITH_REQUIRED_FIELD: Archive = profile("3.0.0", { ...first, age: INT64 }, [rename], PROFILE_V1);

/** An invalid upgrade: a field has another type. */
export const PROFILE_WITH_OTHER_TYPE: Archive = profile(
  "3.0.0",
  { owner: PARTY, name: INT64 },
  [change("Rename", "name", INT64)],
  PROFILE_V1,
);
