import { isJsonObject, type JsonObject } from "../../foundation/json/json.ts";
import type { ProbeContext } from "../probing/probe.ts";

/** Number of pages per walk. */
const pagesMax = 25;

/** Reads the list of users page by page, to the end or to a given user. */
export async function walkUsers(
  { send }: ProbeContext,
  { pageSize, until }: { readonly pageSize?: number; readonly until?: string } = {},
): Promise<JsonObject | undefined> {
  const size = pageSize === undefined ? {} : { pageSize: String(pageSize) };
  let pageToken = "";
  for (let page = 0; page < pagesMax; page += 1) {
    const from = pageToken === "" ? {} : { pageToken };
    const { status, json } = await send({ operationId: "getV2Users", query: { ...size, ...from } });
    if (status !== 200 || !isJsonObject(json)) return undefined;
    const users = Array.isArray(json["users"]) ? json["users"] : [];
    const found = users.find((user) => isJsonObject(user) && user["id"] === until);
    if (until !== undefined && isJsonObject(found)) return found;
    pageToken = typeof json["nextPageToken"] === "string" ? json["nextPageToken"] : "";
    if (pageToken === "") return undefined;
  }
  return undefined;
}

/** Creates a user, uses it and deletes it. If the target cannot create users, uses the user of the target file. */
export async function withUser(context: ProbeContext, use: (userId: string) => Promise<void>): Promise<void> {
  const id = `${context.prefix}-user`;
  const status = await createUser(context, id);
  if (status === 200) {
    try {
      await use(id);
    } finally {
      await removeUser(context, id);
    }
    return;
  }
  const { user } = context.values;
  if (user === undefined)
    context.end(`the target did not create a user (status ${status}). Name one that may be changed: --target user=ID`);
  context.created("change of user", user);
  await use(user);
}

/** Gives the status; 404 if the release has no such operation. */
export async function createUser(context: ProbeContext, id: string): Promise<number> {
  if (!context.knows("postV2Users")) return 404;
  const user = {
    id,
    primaryParty: "",
    isDeactivated: false,
    identityProviderId: "",
    metadata: { resourceVersion: "", annotations: {} },
  };
  const { status } = await context.send({ operationId: "postV2Users", body: { user, rights: [] } });
  if (status === 200) context.created("user", id);
  else if (isUndecided(status)) context.created("user, perhaps", id);
  return status;
}

/** Whether the request may have taken effect in spite of the error. */
export function isUndecided(status: number): boolean {
  return status === 0 || status === 408 || status >= 500;
}

export async function removeUser(context: ProbeContext, id: string): Promise<void> {
  const { status } = await context.send({ operationId: "deleteV2UsersUser-id", path: { "user-id": id } });
  if (status === 200) context.removed("user", id);
}

/** The resource version of a user in a response. */
export function versionIn(value: JsonObject | undefined): string {
  const metadata = value?.["metadata"];
  const version = isJsonObject(metadata) ? metadata["resourceVersion"] : undefined;
  return typeof version === "string" ? version : "";
}
