import type { Arbitrary } from "fast-check";
import type { Json, JsonObject } from "../../foundation/json/json.ts";
import { call, type Generators, members, oneOf, sequence, type Weighted, weighted } from "./_generators.ts";
import { ref, type Step } from "./step.ts";

/** Steps on the token registry. */
export function stepsOnTheRegistry(generators: Generators): readonly Weighted<Step>[] {
  return [
    { arbitrary: lookingUp(generators), weight: 14 },
    { arbitrary: choiceContext(generators, "Accept"), weight: 2 },
    { arbitrary: choiceContext(generators, "Withdraw"), weight: 1 },
  ];
}

/** Sequences that reassign a contract between lookups. */
export function sequencesOnTheRegistry(generators: Generators): readonly Weighted<readonly Step[]>[] {
  const { fc } = generators;
  const control = new Map(stepsOfControl(generators).map(({ operationId, arbitrary }) => [operationId, arbitrary]));
  const [begin, complete] = [control.get("beginReassignment"), control.get("completeReassignment")];
  if (begin === undefined || complete === undefined) return [];
  const moved = fc
    .record({ looked: lookingUp(generators), begin, complete })
    .map(({ looked, ...steps }) => [looked, steps.begin, looked, steps.complete, looked]);
  return [{ arbitrary: sequence(generators, 5, moved), weight: 5 }];
}

/** Steps on the control API; only a stub has it. */
export function stepsOfControl(generators: Generators): readonly ControlStep[] {
  const { contracts, synchronizers } = generators.inputs;
  const world = { world: oneOf<Json>(generators, "default") };
  const contract = oneOf<Json>(generators, ...contracts);
  const to = oneOf<Json>(generators, ...synchronizers.map(({ alias }) => alias).reverse());
  const begin = call(generators, "beginReassignment", { path: world, body: members(generators, { contract, to }) });
  const complete = call(generators, "completeReassignment", { path: world, body: members(generators, { contract }) });
  const by = oneOf<Json>(generators, "PT30S", "PT6M", "PT25H");
  return [
    ...(contracts.length === 0 || synchronizers.length === 0
      ? []
      : [
          { operationId: "beginReassignment", arbitrary: begin, weight: 4 },
          { operationId: "completeReassignment", arbitrary: complete, weight: 4 },
        ]),
    {
      operationId: "advanceClock",
      arbitrary: call(generators, "advanceClock", { path: world, body: members(generators, { by }) }),
      weight: 2,
    },
    { operationId: "getWorld", arbitrary: call(generators, "getWorld", { path: world }), weight: 3 },
  ];
}

/** Requests for the choice context of a transfer instruction. */
export function choiceContext(generators: Generators, choice: "Accept" | "Withdraw"): Arbitrary<Step> {
  return call(generators, `getTransferInstruction${choice}Context`, {
    path: { transferInstructionId: oneOf<Json>(generators, ref("instructionId"), "none") },
    body: oneOf<Json>(generators, {}, { excludeDebugFields: true }),
  });
}

function lookingUp(generators: Generators): Arbitrary<Step> {
  const { fc, inputs } = generators;
  const valid = fc
    .record({
      sender: account(generators),
      receiver: account(generators),
      amount: weighted(generators, oneOf<Json>(generators, "1.0", "-1", 5), oneOf<Json>(generators, "x")),
      instrument: weighted(
        generators,
        oneOf<Json>(generators, inputs.instrument.id),
        oneOf<Json>(generators, "none-such"),
      ),
      isSelf: oneOf(generators, false, false, true),
    })
    .map(({ receiver, isSelf, ...given }) =>
      choiceArguments(generators, { ...given, receiver: isSelf ? given.sender : receiver }),
    );
  const malformed = oneOf<Json>(generators, {}, null, { transfer: 5 }, "text");
  const body = members(generators, {
    choiceArguments: weighted(generators, valid, malformed),
    "excludeDebugFields?": weighted(generators, oneOf<Json>(generators, true, false), oneOf<Json>(generators, "x")),
  });
  return call(generators, "getTransferFactory", { body });
}

function account(generators: Generators): Arbitrary<Json> {
  const owner = weighted(
    generators,
    oneOf<Json>(generators, ...generators.inputs.parties, ref("party")),
    oneOf<Json>(generators, null, "", "no-party"),
  );
  const id = weighted(generators, oneOf<Json>(generators, ""), oneOf<Json>(generators, "savings"));
  return members(generators, { owner, provider: oneOf<Json>(generators, null), id });
}

function choiceArguments({ inputs }: Generators, given: JsonObject): Json {
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
