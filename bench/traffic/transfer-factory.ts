import { type LoadRequest, post } from "../request.ts";
import type { World } from "../workspace.ts";
import type { Traffic } from "./_traffic.ts";

const path = "/registry/transfer-instruction/v2/transfer-factory";

/** The lookup of a transfer between the first two parties, which is an offer in the large world. */
export function lookup({ parties, registryAdmin }: World): LoadRequest {
  const account = (owner = "") => ({ owner, provider: null, id: "" });
  const empty = { values: {} };
  const transfer = {
    sender: account(parties[0]),
    receiver: account(parties[1]),
    amount: "1.0",
    instrumentId: { admin: registryAdmin, id: "Amulet" },
    requestedAt: "2026-01-01T00:00:00Z",
    executeBefore: "2026-01-02T00:00:00Z",
    inputHoldingCids: [],
    meta: empty,
  };
  const choiceArguments = { transfer, actors: [parties[0]], extraArgs: { context: empty, meta: empty } };
  return post(path, { choiceArguments, excludeDebugFields: true });
}

export const transferFactory: Traffic = {
  name: "lookups",
  title: "`POST transfer-factory`",
  members: ["factoryId"],
  requests: async (world) => [lookup(world)],
};
