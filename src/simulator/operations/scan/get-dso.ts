import { listOf, textOf } from "../../../foundation/json/members.ts";
import type { RegistryContract } from "../../registry/registry-state.ts";
import type { Operation, OperationResult, WorldView } from "../operation.ts";
import { activeContracts, contractWithState, noContract, responseWith, roundNumber } from "../splice-contracts.ts";

/** `GET …/dso`: the party, the rules and the latest round of the network, which may open later (Splice 0.6, scan.yaml). */
export const getDso: Operation = { operationId: "getScanDso", aliases: ["getScanProxyDso"], perform: read };

const templates = [
  "Splice.DsoRules:DsoRules",
  "Splice.AmuletRules:AmuletRules",
  "Splice.Round:OpenMiningRound",
] as const;

function read(_: unknown, world: WorldView): OperationResult {
  const [[rules], [amuletRules], rounds] = [
    activeContracts(templates[0], world),
    activeContracts(templates[1], world),
    activeContracts(templates[2], world),
  ];
  const latest = rounds.toSorted((left, right) => roundNumber(right) - roundNumber(left))[0];
  if (rules === undefined) return noContract(templates[0]);
  if (amuletRules === undefined) return noContract(templates[1]);
  if (latest === undefined) return noContract(templates[2]);
  const members = membersOf(rules);
  return responseWith({
    sv_user: "sv",
    sv_party_id: members[0] ?? world.registry.admin,
    dso_party_id: world.registry.admin,
    voting_threshold: votesNeeded(members.length),
    latest_mining_round: contractWithState(latest),
    amulet_rules: contractWithState(amuletRules),
    dso_rules: contractWithState(rules),
    sv_node_states: activeContracts("Splice.DSO.SvState:SvNodeState", world).map(contractWithState),
  });
}

/** The parties of the members, the keys of a map in Daml JSON. */
function membersOf({ payload }: RegistryContract): readonly string[] {
  return listOf(payload["svs"]).map((entry) => textOf(listOf(entry)[0]));
}

/** Half of the members and of those that may be faulty, rounded up (Splice 0.6, DsoRules.daml). */
function votesNeeded(members: number): number {
  const faulty = Math.floor((members - 1) / 3);
  return Math.max(1, Math.ceil((members + faulty + 1) / 2));
}
