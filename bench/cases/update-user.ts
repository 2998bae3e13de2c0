import type { LoadRequest } from "../load/request.ts";
import type { Fixture } from "../workspace.ts";
import type { LoadCase } from "./_load-case.ts";

const usersUpdated = 100;

/** Sets an annotation, with a new value for each request for the same user. */
export function update({ userIds }: Fixture, index: number): LoadRequest {
  const id = userIds[index % usersUpdated] ?? "";
  const desk = String(Math.floor(index / usersUpdated));
  const body = {
    user: { id, metadata: { annotations: { desk } } },
    updateMask: { paths: ["metadata.annotations"], unknownFields: { fields: {} } },
  };
  return { method: "PATCH", path: `/v2/users/${id}`, body: JSON.stringify(body) };
}

export const updateUser: LoadCase = {
  name: "patch",
  title: "`PATCH /v2/users/{id}`",
  about: `an annotation of one of ${usersUpdated} users set to a value that it did not have`,
  members: ["user"],
  requests: async ({ fixture }) => Array.from({ length: 2 * usersUpdated }, (_, index) => update(fixture, index)),
};
