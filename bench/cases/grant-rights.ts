import type { LoadRequest } from "../load/request.ts";
import type { Fixture } from "../workspace.ts";
import type { LoadCase } from "./_load-case.ts";

/** A right that no user has yet: to read as a party with a unique number. */
export function grant({ userIds }: Fixture, number: number): LoadRequest {
  const userId = userIds[number % userIds.length] ?? "";
  const party = `bench-${number}::1220${"ab".repeat(32)}`;
  const body = { userId, identityProviderId: "", rights: [{ kind: { CanReadAs: { value: { party } } } }] };
  return { method: "POST", path: `/v2/users/${userId}/rights`, body: JSON.stringify(body) };
}

/** More than the requests of any round, so that each round has its own numbers. */
const numbersPerRound = 10_000_000;

export const grantRights: LoadCase = {
  name: "rights",
  title: "`POST /v2/users/{id}/rights`",
  about: "a right that its user did not have, each time another",
  members: ["newlyGrantedRights"],
  freshForWarmUp: 50_000,
  requests: async ({ fixture }, round, count) =>
    Array.from({ length: count }, (_, index) => grant(fixture, round * numbersPerRound + index)),
};
