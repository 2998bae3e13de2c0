import { expect, test } from "vitest";
import { isJsonObject } from "../../src/foundation/json/json.ts";
import { jsonOfValue } from "../../src/simulator/daml/daml-json.ts";
import { alice, bob, dso, operator, paymentContext, type SpliceStub, spliceStub, synchronizer } from "./_splice.ts";

const unhandled = "UNHANDLED_EXCEPTION";

/** The result of the exercise at the root of a transaction. */
function resultOf(response: ReturnType<typeof JSON.parse>) {
  expect(response.transaction?.events[0]).toMatchObject({ ExercisedEvent: { nodeId: 0 } });
  return response.transaction.events[0].ExercisedEvent.exerciseResult;
}

function argumentsOf({ contractsOf }: SpliceStub, entity: string) {
  return contractsOf(entity).map(({ argument }) => jsonOfValue(argument));
}

/** The kind of a transfer to a party, and the keys of its context. */
function lookedUp({ post }: SpliceStub, receiver: string) {
  const transfer = {
    sender: operator,
    receiver,
    amount: "1",
    instrumentId: { admin: dso, id: "Amulet" },
    requestedAt: "2025-12-31T00:00:00Z",
    executeBefore: "2027-01-01T00:00:00Z",
    inputHoldingCids: [],
    meta: { values: {} },
  };
  const extraArgs = { context: { values: {} }, meta: { values: {} } };
  const { transferKind, choiceContext } = post("/registry/transfer-instruction/v1/transfer-factory", {
    choiceArguments: { expectedAdmin: dso, transfer, extraArgs },
  });
  return { transferKind, keys: Object.keys(choiceContext.choiceContextData.values) };
}

test("a tap mints within the choice of the rules", () => {
  const stub = spliceStub();
  const argument = { receiver: alice, amount: "5", openRound: stub.idOf("round") };
  const tapped = stub.exercise(stub.idOf("rules"), "AmuletRules_DevNet_Tap", argument, [alice]);
  expect(resultOf(tapped)).toMatchObject({
    amuletSum: { amuletPrice: "0.5000000000", round: { number: "7" } },
    meta: { values: { "splice.lfdecentralizedtrust.org/tx-kind": "mint" } },
  });
  expect(tapped.transaction.events[1].ExercisedEvent).toMatchObject({
    choice: "AmuletRules_Mint",
    actingParties: [dso, alice],
  });
  expect(stub.balance(alice)).toEqual(["5.0000000000"]);
  expect(stub.exercise(stub.idOf("rules"), "AmuletRules_Mint", argument, [alice]).code).toBe(
    "FAILED_TO_PREPARE_TRANSACTION",
  );
});

const traffic = {
  provider: operator,
  memberId: "PAR::participant",
  synchronizerId: synchronizer,
  migrationId: "0",
  trafficAmount: "1000000",
  expectedDso: dso,
};

function buyTraffic(stub: SpliceStub, more: object = {}) {
  const { context } = paymentContext(stub);
  const argument = { context, inputs: stub.inputs(operator), ...traffic, ...more };
  return stub.exercise(stub.idOf("rules"), "AmuletRules_BuyMemberTraffic", argument, [operator]);
}

test("traffic is paid from the inputs, which are burnt but for the change", () => {
  const stub = spliceStub();
  // A million bytes cost 20 USD, which are 40 Amulet at a price of 0.5 USD.
  expect(resultOf(buyTraffic(stub))).toMatchObject({
    round: { number: "7" },
    summary: { inputAmuletAmount: "1000.0000000000", senderChangeAmount: "960.0000000000" },
    amuletPaid: "40.0000000000",
    senderChangeAmulet: expect.any(String),
    meta: {
      values: {
        "splice.lfdecentralizedtrust.org/burned": "40.0",
        "splice.lfdecentralizedtrust.org/reason": "traffic purchase",
        "splice.lfdecentralizedtrust.org/tx-kind": "burn",
      },
    },
  });
  expect(stub.balance(operator)).toEqual(["960.0000000000"]);
  expect(argumentsOf(stub, "Splice.DecentralizedSynchronizer:MemberTraffic")).toMatchObject([
    {
      dso,
      memberId: "PAR::participant",
      totalPurchased: "1000000",
      amuletSpent: "40.0000000000",
      usdSpent: "20.0000000000",
    },
  ]);
  expect(argumentsOf(stub, "Splice.Amulet:ValidatorRewardCoupon")).toMatchObject([
    { user: operator, round: { number: "7" } },
  ]);
});

test("the traffic of a member is the sum of what was bought, without what is not a number", () => {
  const stub = spliceStub();
  buyTraffic(stub);
  const bought = { dso, memberId: "PAR::participant", synchronizerId: synchronizer, totalPurchased: "abc" };
  stub.create("#splice-amulet:Splice.DecentralizedSynchronizer:MemberTraffic", bought, [dso]);
  const path = `/api/scan/v0/domains/${synchronizer}/members/PAR::participant/traffic-status`;
  expect(JSON.parse(stub.ask(path).text).traffic_status.target).toEqual({ total_purchased: 1_000_000 });
});

test.each([
  [
    "too little",
    { trafficAmount: "199999" },
    unhandled,
    "ITR_InsufficientTopupAmount {requestedTopupAmount = 199999, minTopupAmount = 200000}",
  ],
  ["an unknown synchronizer", { synchronizerId: "x" }, unhandled, 'ITR_UnknownSynchronizer {synchronizerId = "x"}'],
  [
    "inputs that do not cover it",
    { trafficAmount: "26000000" },
    unhandled,
    "ITR_InsufficientFunds {missingAmount = 40.0}",
  ],
  ["another DSO", { expectedDso: alice }, unhandled, "does not match"],
  [
    "coupons as inputs",
    { inputs: [{ tag: "InputSvRewardCoupon", value: "00ab" }] },
    "FAILED_TO_PREPARE_TRANSACTION",
    "InputAmulet only",
  ],
  ["another provider", { provider: alice }, "DAML_AUTHORIZATION_ERROR", "requires authorizers"],
])("a purchase of traffic with %s is refused and changes nothing", (_what, more, code, cause) => {
  const stub = spliceStub();
  const { ledger } = stub.world.state;
  expect(buyTraffic(stub, more)).toMatchObject({ code, cause: expect.stringContaining(cause) });
  expect(stub.world.state.ledger).toBe(ledger);
});

test("a provider that features itself is in the context of direct transfers that it provides", () => {
  const stub = spliceStub();
  expect(lookedUp(stub, bob).keys).not.toContain("featured-app-right");
  const granted = stub.exercise(stub.idOf("rules"), "AmuletRules_DevNet_FeatureApp", { provider: operator }, [
    operator,
  ]);
  const [right] = stub.contractsOf("Splice.Amulet:FeaturedAppRight");
  expect(resultOf(granted)).toEqual({ featuredAppRightCid: right?.contractId });
  expect(lookedUp(stub, bob)).toMatchObject({
    transferKind: "direct",
    keys: expect.arrayContaining(["featured-app-right"]),
  });
});

const preapproval = "Splice.AmuletRules:TransferPreapproval";

function preapprovalsOf(stub: SpliceStub, receiver: string) {
  return argumentsOf(stub, preapproval).filter(
    (argument) => isJsonObject(argument) && argument["receiver"] === receiver,
  );
}

function createPreapproval(stub: SpliceStub, more: object = {}, actAs: readonly string[] = [alice, operator]) {
  const argument = {
    context: paymentContext(stub),
    inputs: stub.inputs(operator),
    receiver: alice,
    provider: operator,
    expiresAt: "2026-01-11T00:00:00Z",
    ...more,
  };
  return stub.exercise(stub.idOf("rules"), "AmuletRules_CreateTransferPreapproval", argument, actAs);
}

test("a pre-approval costs a price for each day, and makes transfers direct until it is cancelled", () => {
  const stub = spliceStub();
  expect(lookedUp(stub, alice).transferKind).toBe("offer");
  // Ten days cost 10 USD, which are 20 Amulet.
  const result = resultOf(createPreapproval(stub));
  expect(result).toMatchObject({ amuletPaid: "20.0000000000", transferResult: { round: { number: "7" } } });
  expect(preapprovalsOf(stub, alice)).toMatchObject([
    { provider: operator, validFrom: "2026-01-01T00:00:00Z", lastRenewedAt: "2026-01-01T00:00:00Z" },
  ]);
  expect(stub.balance(operator)).toEqual(["980.0000000000"]);
  expect(lookedUp(stub, alice)).toMatchObject({
    transferKind: "direct",
    keys: expect.arrayContaining(["transfer-preapproval"]),
  });
  const cancel = (p: string) => stub.exercise(result.transferPreapprovalCid, "TransferPreapproval_Cancel", { p }, [p]);
  expect(cancel(bob)).toMatchObject({
    code: unhandled,
    cause: expect.stringMatching(/The requirement 'Controller .* is either receiver or provider' was not met\./),
  });
  expect(cancel(alice)).toMatchObject({ transaction: {} });
  expect(lookedUp(stub, alice).transferKind).toBe("offer");
  expect(cancel(alice).code).toBe("CONTRACT_NOT_FOUND");
});

test.each([
  ["without the receiver", {}, [operator], "DAML_AUTHORIZATION_ERROR", "requires authorizers"],
  [
    "that ends in the past",
    { expiresAt: "2025-12-31T00:00:00Z" },
    undefined,
    unhandled,
    "The requirement 'expiresAt is not in the past' was not met.",
  ],
  [
    "that the provider cannot pay",
    { expiresAt: "2028-01-01T00:00:00Z" },
    undefined,
    unhandled,
    "ITR_InsufficientFunds {missingAmount = 460.0}",
  ],
])("a pre-approval %s is refused", (_what, more, actAs, code, cause) => {
  expect(createPreapproval(spliceStub(), more, actAs)).toMatchObject({ code, cause: expect.stringContaining(cause) });
});

function renew(stub: SpliceStub, newExpiresAt: string) {
  const [current] = stub.contractsOf(preapproval);
  const argument = { context: paymentContext(stub), inputs: stub.inputs(operator), newExpiresAt };
  return stub.exercise(current?.contractId ?? "", "TransferPreapproval_Renew", argument, [operator]);
}

test("a pre-approval of the registry fixture is renewed: its contract id changes, and its fee is for the extension", () => {
  const stub = spliceStub();
  const cause = (what: string) => expect.stringContaining(`The requirement '${what}' was not met.`);
  expect(renew(stub, "2026-01-10T00:00:00Z").cause).toEqual(cause("newExpiresAt is after expiresAt"));
  const result = resultOf(renew(stub, "2026-01-12T12:00:00Z"));
  // A day and a half costs 1.5 USD.
  expect(result).toMatchObject({ receiver: bob, provider: operator, amuletPaid: "3.0000000000" });
  expect(stub.contractsOf(preapproval).map(({ contractId }) => contractId)).toEqual([result.transferPreapprovalCid]);
  expect(preapprovalsOf(stub, bob)).toMatchObject([
    { validFrom: "2025-12-01T00:00:00Z", lastRenewedAt: "2026-01-01T00:00:00Z", expiresAt: "2026-01-12T12:00:00Z" },
  ]);
  expect(lookedUp(stub, bob).transferKind).toBe("direct");
  stub.world.advanceBy(30 * 86_400_000);
  expect(renew(stub, "2027-01-01T00:00:00Z").cause).toEqual(cause("Contract is not expired"));
});

test("a pre-approval is fetched by anyone, sends tokens to its receiver until it expires, and is expired by the DSO", () => {
  const stub = spliceStub();
  const id = stub.idOf("preapproval-bob");
  expect(resultOf(stub.exercise(id, "TransferPreapproval_Fetch", { p: alice }, [alice]))).toMatchObject({
    receiver: bob,
  });
  const send = () =>
    stub.exercise(
      id,
      "TransferPreapproval_Send",
      {
        context: paymentContext(stub),
        inputs: stub.inputs(operator),
        amount: "250",
        sender: operator,
        description: "rent",
      },
      [operator],
    );
  expect(resultOf(send())).toMatchObject({
    result: { createdAmulets: [{ tag: "TransferResultAmulet" }] },
    meta: { values: { "splice.lfdecentralizedtrust.org/reason": "rent" } },
  });
  expect([stub.balance(operator), stub.balance(bob)]).toEqual([["750.0000000000"], ["250.0000000000"]]);
  const expire = (party: string) => stub.exercise(id, "TransferPreapproval_Expire", {}, [party]);
  expect(expire(dso).cause).toContain("The requirement 'Contract has expired' was not met.");
  stub.world.advanceBy(30 * 86_400_000);
  expect(send().cause).toContain(
    "Ledger time is after deadline 'TransferPreapproval.expiresAt' at 2026-01-11T00:00:00Z",
  );
  expect(expire(bob).code).toBe("DAML_AUTHORIZATION_ERROR");
  expect(expire(dso)).toMatchObject({ transaction: {} });
  expect(lookedUp(stub, bob).transferKind).toBe("offer");
});

const proposalTemplate = "#splice-wallet:Splice.Wallet.TransferPreapproval:TransferPreapprovalProposal";

test("an operator accepts the setup of an external party only through its user", () => {
  const stub = spliceStub();
  const argument = {
    context: paymentContext(stub),
    inputs: stub.inputs(operator),
    user: alice,
    validator: operator,
    preapprovalExpiresAt: "2026-01-11T00:00:00Z",
  };
  const proposed = resultOf(
    stub.exercise(stub.idOf("rules"), "AmuletRules_CreateExternalPartySetupProposal", argument, [operator]),
  );
  expect(proposed).toMatchObject({ user: alice, validator: operator, amuletPaid: "20.0000000000" });
  const accept = (party: string) =>
    stub.exercise(proposed.proposalCid, "ExternalPartySetupProposal_Accept", {}, [party]);
  expect(accept(operator).code).toBe("DAML_AUTHORIZATION_ERROR");
  stub.world.advanceBy(60_000);
  expect(resultOf(accept(alice))).toMatchObject({
    validatorRightCid: expect.any(String),
    transferPreapprovalCid: expect.any(String),
  });
  expect(argumentsOf(stub, "Splice.Amulet:ValidatorRight")).toEqual([{ dso, validator: operator, user: alice }]);
  expect(preapprovalsOf(stub, alice)).toMatchObject([{ validFrom: "2026-01-01T00:00:00Z" }]);
  expect(lookedUp(stub, alice).transferKind).toBe("direct");
});

test("a provider accepts the proposal of a pre-approval", () => {
  const stub = spliceStub("[]");
  const create = (actAs: readonly string[]) =>
    stub.create(proposalTemplate, { receiver: alice, provider: operator, expectedDso: dso }, actAs);
  expect(create([operator]).code).toBe("DAML_AUTHORIZATION_ERROR");
  create([alice]);
  const [proposal] = stub.contractsOf("Splice.Wallet.TransferPreapproval:TransferPreapprovalProposal");
  const argument = { context: paymentContext(stub), inputs: stub.inputs(operator), expiresAt: "2026-01-11T00:00:00Z" };
  const accepted = stub.exercise(proposal?.contractId ?? "", "TransferPreapprovalProposal_Accept", argument, [
    operator,
  ]);
  expect(resultOf(accepted)).toMatchObject({ amuletPaid: "20.0000000000" });
  expect(accepted.transaction.events[1].ExercisedEvent.choice).toBe("AmuletRules_CreateTransferPreapproval");
  expect(lookedUp(stub, alice).transferKind).toBe("direct");
});

const wrong = "WRONGLY_TYPED_CONTRACT";

test("rounds and rules are contracts of their templates", () => {
  const stub = spliceStub();
  const own = stub.create("#splice-wallet:Main:Round", { round: "abc", amuletPrice: "0" }, [operator]);
  const ownId: string = own.transaction.events[0].CreatedEvent.contractId;
  const [holding] = stub.inputs(operator).map((input) => ("value" in input ? `${input.value}` : ""));
  const preapprovalId = stub.idOf("preapproval-bob");
  const { context, amuletRules } = paymentContext(stub);
  for (const other of [ownId, holding, stub.idOf("rules")]) {
    const tapped = { receiver: operator, amount: "5", openRound: other };
    expect(stub.exercise(stub.idOf("rules"), "AmuletRules_DevNet_Tap", tapped, [operator])).toMatchObject({
      code: wrong,
      cause: expect.stringContaining("Expected contract of type Splice.Round:OpenMiningRound@"),
    });
    const given = { context: { ...context, openMiningRound: other } };
    expect(buyTraffic(stub, given).code).toBe(wrong);
    expect(createPreapproval(stub, { context: { amuletRules, ...given } }).code).toBe(wrong);
  }
  for (const other of [ownId, holding, stub.idOf("round")]) {
    const argument = {
      ...{ context: { context, amuletRules: other }, inputs: stub.inputs(operator) },
      ...{ amount: "1", sender: operator, description: null },
    };
    expect(stub.exercise(preapprovalId, "TransferPreapproval_Send", argument, [operator]).code).toBe(wrong);
  }
});

test("a round without a number and a price mints, and payments name what its fixture lacks", () => {
  for (const payload of [{}, { round: "abc", amuletPrice: "0" }, { round: { number: "-1" }, amuletPrice: "x" }]) {
    const stub = spliceStub();
    const created = stub.create("#splice-amulet:Splice.Round:OpenMiningRound", { dso, ...payload }, [dso]);
    const openRound: string = created.transaction.events[0].CreatedEvent.contractId;
    const tapped = { receiver: dso, amount: "5", openRound };
    expect(stub.exercise(stub.idOf("rules"), "AmuletRules_DevNet_Tap", tapped, [dso])).toMatchObject({
      transaction: {},
    });
    const context = {
      openMiningRound: openRound,
      issuingMiningRounds: [],
      validatorRights: [],
      featuredAppRight: null,
    };
    const argument = { context, inputs: stub.inputs(dso), ...traffic, provider: dso };
    expect(stub.exercise(stub.idOf("rules"), "AmuletRules_BuyMemberTraffic", argument, [dso])).toMatchObject({
      code: "FAILED_TO_PREPARE_TRANSACTION",
      cause: expect.stringMatching(/the registry fixture has no .* of OpenMiningRound\. Add it to the payload/),
    });
  }
});

test("rules without prices of traffic refuse a purchase, and their pre-approvals have the price of Splice", () => {
  const stub = spliceStub();
  const created = stub.create("#splice-amulet:Splice.AmuletRules:AmuletRules", { dso }, [dso]);
  const rules: string = created.transaction.events[0].CreatedEvent.contractId;
  const { context } = paymentContext(stub);
  const argument = { context, inputs: stub.inputs(operator), ...traffic };
  expect(stub.exercise(rules, "AmuletRules_BuyMemberTraffic", argument, [operator, dso])).toMatchObject({
    code: "FAILED_TO_PREPARE_TRANSACTION",
    cause: expect.stringContaining("the registry fixture has no minTopupAmount of AmuletRules."),
  });
  const period = {
    ...{ context: { context, amuletRules: rules }, inputs: stub.inputs(operator), receiver: alice },
    ...{ provider: operator, expiresAt: "2026-01-11T00:00:00Z" },
  };
  const approved = stub.exercise(rules, "AmuletRules_CreateTransferPreapproval", period, [alice, operator, dso]);
  // Ten days at 0.00274 USD are 0.0274 USD.
  expect(resultOf(approved)).toMatchObject({ amuletPaid: "0.0548000000" });
});

test("what clients may not create needs the DSO", () => {
  const stub = spliceStub();
  const created = stub.create(`#splice-amulet:${preapproval}`, { dso, receiver: alice, provider: alice }, [alice]);
  expect(created.code).toBe("DAML_AUTHORIZATION_ERROR");
  for (const entity of ["Splice.Round:OpenMiningRound", "Splice.AmuletRules:AmuletRules"])
    expect(stub.create(`#splice-amulet:${entity}`, { dso }, [alice]).code).toBe("DAML_AUTHORIZATION_ERROR");
});

test("a pre-approval that is prepared is executed later with the time of its preparation", () => {
  const stub = spliceStub();
  const { context, amuletRules } = paymentContext(stub) as { context: object; amuletRules: string };
  const disclosedContracts = [...stub.world.state.registry.contracts.values()].map(
    ({ contractId, templateId, createdEventBlob }) => ({ contractId, templateId, createdEventBlob }),
  );
  const choiceArgument = {
    context: { context, amuletRules },
    inputs: stub.inputs(operator),
    receiver: operator,
    provider: operator,
    expiresAt: "2026-01-11T00:00:00Z",
  };
  const command = {
    ExerciseCommand: {
      templateId: "#splice-amulet:Splice.AmuletRules:AmuletRules",
      contractId: amuletRules,
      choice: "AmuletRules_CreateTransferPreapproval",
      choiceArgument,
    },
  };
  const prepared = stub.post("/v2/interactive-submission/prepare", {
    commandId: "p",
    commands: [command],
    actAs: [operator],
    disclosedContracts,
    userId: "u",
  });
  stub.world.advanceBy(5000);
  // Another change of the registry, so that the interpretation is not reused.
  stub.exercise(stub.idOf("rules"), "AmuletRules_DevNet_FeatureApp", { provider: alice }, [alice]);
  const executed = stub.post("/v2/interactive-submission/executeAndWait", {
    preparedTransaction: prepared.preparedTransaction,
    hashingSchemeVersion: prepared.hashingSchemeVersion,
    submissionId: "s",
    userId: "u",
    deduplicationPeriod: { Empty: {} },
    partySignatures: {
      signatures: [
        {
          party: operator,
          signatures: [
            {
              format: "SIGNATURE_FORMAT_CONCAT",
              signature: "AAAA",
              signedBy: "1220ab",
              signingAlgorithmSpec: "SIGNING_ALGORITHM_SPEC_ED25519",
            },
          ],
        },
      ],
    },
  });
  expect(executed).toMatchObject({ completionOffset: 2 });
  expect(preapprovalsOf(stub, operator)).toMatchObject([{ validFrom: "2026-01-01T00:00:00Z" }]);
});

function propose(stub: SpliceStub, provider: string) {
  return stub.create(proposalTemplate, { receiver: alice, provider, expectedDso: dso }, [alice]).transaction.offset;
}

test("the validator accepts a proposal to its operator by itself, in the next update", () => {
  const stub = spliceStub();
  expect(propose(stub, operator)).toBe(1);
  expect(stub.world.state.ledger.ledgerEnd).toBe(2n);
  expect(preapprovalsOf(stub, alice)).toMatchObject([{ provider: operator, expiresAt: "2026-04-01T00:00:00Z" }]);
  // Ninety days cost 90 USD.
  expect(stub.balance(operator)).toEqual(["820.0000000000"]);
  expect(lookedUp(stub, alice).transferKind).toBe("direct");
});

test("the validator leaves proposals to others and those without an operator, and pays once it has the funds", () => {
  const others = [
    [undefined, bob],
    ["[]", operator],
    // The fixture does not declare this user as the operator.
    [`[{ id: some-user, primaryParty: "${operator}" }]`, operator],
  ] as const;
  for (const [users, provider] of others) {
    const stub = spliceStub(users);
    propose(stub, provider);
    expect(stub.world.state.ledger.ledgerEnd).toBe(1n);
  }
  const stub = spliceStub();
  buyTraffic(stub, { trafficAmount: "25000000" });
  propose(stub, operator);
  expect(lookedUp(stub, alice).transferKind).toBe("offer");
  const argument = { receiver: operator, amount: "180", openRound: stub.idOf("round") };
  stub.exercise(stub.idOf("rules"), "AmuletRules_DevNet_Tap", argument, [operator]);
  expect(lookedUp(stub, alice).transferKind).toBe("direct");
});
