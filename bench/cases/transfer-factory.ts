import type { LoadRequest } from "../load/request.ts";
import type { Fixture } from "../workspace.ts";
import type { LoadCase } from "./_load-case.ts";

const path = "/registry/transfer-instruction/v2/transfer-factory";

/** The lookup of a transfer between the first two parties, which is an offer. */
export function lookup({ parties, registryAdmin }: Fixture): LoadRequest {
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
  return { method: "POST", path, body: JSON.stringify({ choiceArguments, excludeDebugFields: true }) };
}

export const transferFactory: LoadCase = {
  name: "transfer-factory",
  title: "`POST transfer-factory`",
  about: "the lookup of an offer, its request validated",
  members: ["factoryId"],
  refused: { method: "POST", path, body: '{"excludeDebugFields":true}' },
  requests: async ({ fixture }) => [lookup(fixture)],
};
