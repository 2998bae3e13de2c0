import { stringify } from "yaml";
import type { Json, JsonObject } from "../../foundation/json/json.ts";
import type { FixturePlan } from "./fixture-plan.ts";
import { administrator } from "./fixture-plan.ts";
import { declaredOffer, preapprovedParties } from "./registry-fixture.ts";

/** URLs of the API descriptions, relative to the scenario. */
export interface ScenarioSources {
  readonly ledger: string;
  readonly registry: string;
}

/** A scenario that starts from the generated fixtures and calls their operations. */
export function scenarioDocument(plan: FixturePlan, sources: ScenarioSources, origin: string): string {
  const { sizes, seed } = plan;
  const document = {
    arazzo: "1.0.1",
    info: {
      title: `${sizes.users} users and ${sizes.parties} parties`,
      version: "1.0.0",
      description: "A generated participant and registry, and calls to their operations.",
    },
    sourceDescriptions: [
      { name: "ledger", url: sources.ledger, type: "openapi" },
      { name: "registry", url: sources.registry, type: "openapi" },
    ],
    workflows: [
      {
        workflowId: "generated",
        "x-understudy": {
          given: { ledger: "ledger.json", registry: "registry.json" },
          clock: { start: "2026-01-01T00:05:00Z", mode: "frozen" },
          seed,
        },
        steps: [...ledgerSteps(plan), ...lookups(plan), execution(plan)],
      },
    ],
  };
  return `# Made by \`${origin}\`.\n${stringify(document, { lineWidth: 0 })}`;
}

interface StepParts {
  readonly description: string;
  readonly parameters?: readonly JsonObject[];
  readonly payload?: JsonObject;
  readonly conditions?: readonly string[];
}

function step(stepId: string, operation: string, parts: StepParts): JsonObject {
  const { description, parameters = [], payload, conditions = [] } = parts;
  const isOfLedger = operation.startsWith("ledger.");
  const token = isOfLedger ? [{ name: "Authorization", in: "header", value: "Bearer any" }] : [];
  return {
    stepId,
    description,
    operationId: `$sourceDescriptions.${operation}`,
    ...(token.length + parameters.length === 0 ? {} : { parameters: [...parameters, ...token] }),
    ...(payload === undefined ? {} : { requestBody: { contentType: "application/json", payload } }),
    successCriteria: ["$statusCode == 200", ...conditions].map((condition) => ({ condition })),
  };
}

function ledgerSteps({ packages, parties, synchronizers }: FixturePlan): readonly JsonObject[] {
  const [packageId, party, synchronizerId] = [packages[0]?.id ?? "", parties[0] ?? "", synchronizers[0] ?? ""];
  const rights = [{ kind: { CanReadAs: { value: { party } } } }];
  return [
    step("list-users", "ledger.getV2Users", {
      description: "The first page of users.",
      parameters: [{ name: "pageSize", in: "query", value: 3 }],
    }),
    step("list-identity-providers", "ledger.getV2Idps", {
      description: "The identity providers of users and parties.",
    }),
    step("package-status", "ledger.getV2PackagesPackage-idStatus", {
      description: "The registry's package is there.",
      parameters: [{ name: "package-id", in: "path", value: packageId }],
      conditions: ["$response.body#/packageStatus == 'PACKAGE_STATUS_REGISTERED'"],
    }),
    step("grant", "ledger.postV2UsersUser-idRights", {
      description: "The administrator may read as a party.",
      parameters: [{ name: "user-id", in: "path", value: administrator }],
      payload: { userId: administrator, rights },
      conditions: [`$response.body#/newlyGrantedRights/0/kind/CanReadAs/value/party == '${party}'`],
    }),
    step("vet", "ledger.postV2Package-vetting", {
      description: "A dry run that vets a vetted package.",
      payload: {
        changes: [{ operation: { Vet: { value: { packages: [{ packageId }] } } } }],
        synchronizerId,
        dryRun: true,
      },
    }),
  ];
}

function lookups(plan: FixturePlan): readonly JsonObject[] {
  const [sender = "", other = ""] = plan.parties;
  const [preapproved] = preapprovedParties(plan);
  const pairs: readonly (readonly [string, string])[] = [
    ["self", sender],
    ["offer", other],
    ...(preapproved === undefined ? [] : [["direct", preapproved] as const]),
  ];
  return pairs.map(([kind, receiver]) =>
    step(`lookup-${kind}`, "registry.getTransferFactory", {
      description: `The factory and context for a transfer of kind ${kind}.`,
      payload: { choiceArguments: choiceArguments(plan, sender, receiver), excludeDebugFields: true },
      conditions: [`$response.body#/transferKind == '${kind}'`],
    }),
  );
}

function choiceArguments({ admin }: FixturePlan, sender: string, receiver: string): Json {
  const account = (owner: string) => ({ owner, provider: null, id: "" });
  return {
    transfer: {
      sender: account(sender),
      receiver: account(receiver),
      amount: declaredOffer.amount,
      instrumentId: { admin, id: "Amulet" },
      requestedAt: "2026-01-01T00:00:00Z",
      executeBefore: "2026-01-02T00:00:00Z",
      inputHoldingCids: [],
      meta: { values: {} },
    },
    actors: [sender],
    extraArgs: { context: { values: {} }, meta: { values: {} } },
  };
}

function execution({ parties }: FixturePlan): JsonObject {
  const signature = {
    format: "SIGNATURE_FORMAT_CONCAT",
    signature: "AAAA",
    signedBy: (parties[0] ?? "").split("::")[1] ?? "",
    signingAlgorithmSpec: "SIGNING_ALGORITHM_SPEC_ED25519",
  };
  return step("execute", "ledger.postV2Interactive-submissionExecuteandwait", {
    description: "An offer, declared in the registry fixture, is executed.",
    payload: {
      preparedTransaction: declaredOffer.value,
      partySignatures: { signatures: [{ party: parties[0] ?? "", signatures: [signature] }] },
      submissionId: "generated",
      hashingSchemeVersion: "HASHING_SCHEME_VERSION_V2",
      deduplicationPeriod: { Empty: {} },
    },
  });
}
