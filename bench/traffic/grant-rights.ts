import { type LoadRequest, post } from "../request.ts";
import type { World } from "../workspace.ts";
import type { Traffic } from "./_traffic.ts";

/** A node allows 1000 rights of a user, so that a small world needs more users. */
const usersNeeded = 1000;

/** A right that no user has yet: to read as a party with a unique number. */
export function grant({ userIds }: World, number: number): LoadRequest {
  const userId = userIds[number % userIds.length] ?? "";
  const party = `bench-${number}::1220${"ab".repeat(32)}`;
  const rights = [{ kind: { CanReadAs: { value: { party } } } }];
  return post(`/v2/users/${userId}/rights`, { userId, identityProviderId: "", rights });
}

/** More than the requests of any round, so that each round has its own numbers. */
const numbersPerRound = 1_000_000;

const ownUsers: readonly string[] = Array.from({ length: usersNeeded }, (_, index) => `bench-${index}`);

function isSmall({ scenario }: World): boolean {
  return scenario === undefined;
}

export const grantRights: Traffic = {
  name: "grants",
  title: "`POST /v2/users/{id}/rights`",
  members: ["newlyGrantedRights"],
  isFresh: true,
  setUp: (world) => (isSmall(world) ? ownUsers.map((id) => post("/v2/users", { user: { id } })) : []),
  async requests(world, round, count) {
    const owned = isSmall(world) ? { ...world, userIds: ownUsers } : world;
    return Array.from({ length: count }, (_, index) => grant(owned, round * numbersPerRound + index));
  },
};
