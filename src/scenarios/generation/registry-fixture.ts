import type { JsonObject } from "../../foundation/json/json.ts";
import type { FixturePlan } from "./fixture-plan.ts";
import { exactly, type RowMaker } from "./fixture-rows.ts";
import { type FixturePart, list } from "./ledger-fixture.ts";

/** Limits, since each creates a contract in the stub. */
const preapprovalsMax = 200;
const holdingsMax = 500;
/** The first two parties have no pre-approval, so that a transfer between them is an offer. */
const firstPreapproved = 2;
const preapprovedEvery = 4;

const createdAt = "2025-12-31T00:00:00Z";

/** An offer that a client can execute without preparing it. */
export const declaredOffer = { value: "Z2VuZXJhdGVkIG9mZmVy", commandId: "generated-offer", amount: "1.0" } as const;

/** Parties that have pre-approved direct transfers. */
export function preapprovedParties({ parties }: FixturePlan): readonly string[] {
  return parties
    .filter((_, index) => index >= firstPreapproved && (index - firstPreapproved) % preapprovedEvery === 0)
    .slice(0, preapprovalsMax);
}

/** The parts of an Amulet-like registry fixture with the parties of the ledger. */
export function registryParts(plan: FixturePlan, rows: RowMaker): readonly FixturePart[] {
  const preapproved = preapprovedParties(plan);
  const contracts = [...systemContracts, ...preapproved.map((receiver, index) => preapproval(plan, receiver, index))];
  const [sender = "", receiver = ""] = plan.parties;
  return [
    { type: "member", name: "admin", value: plan.admin },
    list("instruments", 1, (index) => rows.row("instruments", index, { id: exactly("Amulet") })),
    { type: "member", name: "factory", value: factory },
    list("preapprovals", preapproved.length, (index) =>
      rows.row("preapprovals", index, {
        receiver: exactly(preapproved[index] ?? ""),
        contract: exactly(`preapproval-${index + 1}`),
      }),
    ),
    list("contracts", contracts.length, (index) => contract(plan, rows, contracts[index] ?? { name: "" }, index)),
    list("holdings", Math.min(plan.parties.length, holdingsMax), (index) => holding(plan, rows, index)),
    list("preparedTransactions", 1, (index) =>
      rows.row("preparedTransactions", index, {
        value: exactly(declaredOffer.value),
        actAs: exactly([sender]),
        commandId: exactly(declaredOffer.commandId),
        effect: exactly({ transfer: "offer", inputs: ["holding-1"], to: receiver, amount: declaredOffer.amount }),
      }),
    ),
  ];
}

const factory: JsonObject = {
  contract: "external-party-amulet-rules",
  missing: "No active ExternalPartyAmuletRules contract",
  disclosed: "last",
  context: [
    { key: "amulet-rules", contracts: ["amulet-rules"] },
    { key: "open-round", contracts: ["open-round"], missing: "No open usable OpenMiningRound found." },
  ],
};

interface PlannedContract {
  readonly name: string;
  readonly entity?: string;
  readonly payload?: JsonObject;
}

const systemContracts: readonly PlannedContract[] = [
  { name: "amulet-rules", entity: "Splice.AmuletRules:AmuletRules" },
  { name: "open-round", entity: "Splice.Round:OpenMiningRound", payload: { round: "1" } },
  { name: "external-party-amulet-rules", entity: "Splice.ExternalPartyAmuletRules:ExternalPartyAmuletRules" },
];

function preapproval({ admin }: FixturePlan, receiver: string, index: number): PlannedContract {
  const payload = { receiver, provider: admin };
  return { name: `preapproval-${index + 1}`, entity: "Splice.AmuletRules:TransferPreapproval", payload };
}

function contract(plan: FixturePlan, rows: RowMaker, planned: PlannedContract, index: number): JsonObject {
  const { name, entity = "", payload = {} } = planned;
  const [{ id, name: packageName } = { id: "", name: "" }] = plan.packages;
  return rows.row("contracts", index, {
    name: exactly(name),
    templateId: exactly(`${id}:${entity}`),
    packageName: exactly(packageName),
    createdAt: exactly(createdAt),
    synchronizer: exactly(plan.synchronizers[0] ?? ""),
    payload: exactly({ dso: plan.admin, ...payload }),
  });
}

function holding({ parties }: FixturePlan, rows: RowMaker, index: number): JsonObject {
  return rows.row("holdings", index, {
    name: exactly(`holding-${index + 1}`),
    owner: exactly(parties[index] ?? ""),
    instrument: exactly("Amulet"),
    amount: { schema: { pattern: "^[1-9][0-9]{1,3}\\.[0-9]$" } },
  });
}
