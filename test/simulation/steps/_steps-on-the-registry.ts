import type { Arbitrary } from "fast-check";
import * as fc from "fast-check";
import type { Json, JsonObject } from "../../../src/foundation/json/json.ts";
import { call, members, oneOf, sequence, type Weighted, weighted } from "./_generators.ts";
import type { WalkInputs } from "./_inputs.ts";
import { ref, type Step } from "./_step.ts";

/** Steps on the token registry. */
export function stepsOnTheRegistry(inputs: WalkInputs): readonly Weighted<Step>[] {
  return [
    { arbitrary: lookingUp(inputs), weight: 14 },
    { arbitrary: choiceContext("Accept"), weight: 2 },
    { arbitrary: choiceContext("Withdraw"), weight: 1 },
  ];
}

/** Sequences that reassign a contract between lookups. */
export function sequencesOnTheRegistry(inputs: WalkInputs): readonly Weighted<readonly Step[]>[] {
  const control = new Map(stepsOfControl(inputs).map(({ operationId, arbitrary }) => [operationId, arbitrary]));
  const [begin, complete] = [control.get("beginReassignment"), control.get("completeReassignment")];
  if (begin === undefined || complete === undefined) return [];
  const moved = fc
    .record({ looked: lookingUp(inputs), begin, complete })
    .map(({ looked, ...steps }) => [looked, steps.begin, looked, steps.complete, looked]);
  return [{ arbitrary: sequence(5, moved), weight: 5 }];
}

/** Steps on the control API; only a stub has it. */
export function stepsOfControl(inputs: WalkInputs): readonly ControlStep[] {
  const { contracts, synchronizers } = inputs;
  const world = { world: oneOf<Json>("default") };
  const contract = oneOf<Json>(...contracts);
  const to = oneOf<Json>(...synchronizers.map(({ alias }) => alias).reverse());
  const begin = call("beginReassignment", { path: world, body: members({ contract, to }) });
  const complete = call("completeReassignment", { path: world, body: members({ contract }) });
  const by = oneOf<Json>("PT30S", "PT6M", "PT25H");
  return [
    ...(contracts.length === 0 || synchronizers.length === 0
      ? []
      : [
          { operationId: "beginReassignment", arbitrary: begin, weight: 4 },
          { operationId: "completeReassignment", arbitrary: complete, weight: 4 },
        ]),
    {
      operationId: "advanceClock",
      arbitrary: call("advanceClock", { path: world, body: members({ by }) }),
      weight: 2,
    },
    { operationId: "getWorld", arbitrary: call("getWorld", { path: world }), weight: 3 },
  ];
}

/** Requests for the choice context of a transfer instruction. */
export function choiceContext(choice: "Accept" | "Withdraw"): Arbitrary<Step> {
  return call(`getTransferInstruction${choice}Context`, {
    path: { transferInstructionId: oneOf<Json>(ref("instructionId"), "none") },
    body: oneOf<Json>({}, { excludeDebugFields: true }),
  });
}

function lookingUp(inputs: WalkInputs): Arbitrary<Step> {
  const valid = fc
    .record({
      sender: account(inputs),
      receiver: account(inputs),
      amount: weighted(oneOf<Json>("1.0", "-1", 5), oneOf<Json>("x")),
      instrument: weighted(oneOf<Json>(inputs.instrument.id), oneOf<Json>("none-such")),
      isSelf: oneOf(false, false, true),
    })
    .map(({ receiver, isSelf, ...given }) =>
      choiceArguments(inputs, { ...given, receiver: isSelf ? given.sender : receiver }),
    );
  const malformed = oneOf<Json>({}, null, { transfer: 5 }, "text");
  const body = members({
    choiceArguments: weighted(valid, malformed),
    "excludeDebugFields?": weighted(oneOf<Json>(true, false), oneOf<Json>("x")),
  });
  return call("getTransferFactory", { body });
}

function account(inputs: WalkInputs): Arbitrary<Json> {
  const owner = weighted(oneOf<Json>(...inputs.parties, ref("party")), oneOf<Json>(null, "", "no-party"));
  const id = weighted(oneOf<Json>(""), oneOf<Json>("savings"));
  return members({ owner, provider: oneOf<Json>(null), id });
}

function choiceArguments(inputs: WalkInputs, given: JsonObject): Json {
  return {
    transfer: {
      sender: given["sender"] ?? null,
      receiver: given["receiver"] ?? null,
      amount: given["amount"] ?? null,
      instrumentId: { admin: inputs.instrument.admin, id: given["instrument"] ?? null },
      requestedAt: inputs.past,
      executeBefore: inputs.future,
      inputHoldingCids: [],
      meta: { values: {} },
    },
    actors: [],
    extraArgs: { context: { values: {} }, meta: { values: {} } },
  };
}

interface ControlStep extends Weighted<Step> {
  readonly operationId: string;
}
