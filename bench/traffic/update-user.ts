import type { LoadRequest } from "../request.ts";
import type { World } from "../workspace.ts";
import type { Traffic } from "./_traffic.ts";

const usersUpdated = 100;

/** Sets an annotation, with a new value for each request for the same user. */
export function update({ userIds }: World, index: number): LoadRequest {
  const users = Math.min(usersUpdated, userIds.length);
  const id = userIds[index % users] ?? "";
  const desk = String(Math.floor(index / users));
  const body = {
    user: { id, metadata: { annotations: { desk } } },
    updateMask: { paths: ["metadata.annotations"], unknownFields: { fields: {} } },
  };
  return { method: "PATCH", path: `/v2/users/${id}`, body: JSON.stringify(body) };
}

export const updateUser: Traffic = {
  name: "patch",
  title: "`PATCH /v2/users/{id}`",
  members: ["user"],
  requests: async (world) => Array.from({ length: 2 * usersUpdated }, (_, index) => update(world, index)),
};
