import type { Arbitrary } from "fast-check";
import type { Json, JsonObject } from "../../foundation/json/json.ts";
import { call, type Generators, members, oneOf, sequence, type Weighted, weighted } from "./_generators.ts";
import { recall, type Step } from "./step.ts";

/** Steps on the token registry, and those by which its contracts move. */
export function stepsOnTheRegistry(drawing: Generators): readonly Weighted<Step>[] {
  return [
    { arbitrary: lookingUp(drawing), weight: 14 },
    { arbitrary: choiceContext(drawing, "Accept"), weight: 2 },
    { arbitrary: choiceContext(drawing, "Withdraw"), weight: 1 },
  ];
}

/** A contract moves between lookups; an offer is made and its receiver asks for the context. */
export function sequencesOnTheRegistry(drawing: Generators): readonly Weighted<readonly Step[]>[] {
  const { fc } = drawing;
  const control = new Map(stepsOfControl(drawing).map(({ operationId, arbitrary }) => [operationId, arbitrary]));
  const [begin, complete] = [control.get("beginReassignment"), control.get("completeReassignment")];
  if (begin === undefined || complete === undefined) return [];
  const moved = fc
    .record({ looked: lookingUp(drawing), begin, complete })
    .map(({ looked, ...steps }) => [looked, steps.begin, looked, steps.complete, looked]);
  return [{ arbitrary: sequence(drawing, 5, moved), weight: 5 }];
}

/** What only a stub can do, or be asked. */
export function stepsOfControl(drawing: Generators): readonly ControlStep[] {
  const { contracts, synchronizers } = drawing.material;
  const world = { world: oneOf<Json>(drawing, "default") };
  const contract = oneOf<Json>(drawing, ...contracts);
  const to = oneOf<Json>(drawing, ...synchronizers.map(({ alias }) => alias).reverse());
  const begin = call(drawing, "beginReassignment", { path: world, body: members(drawing, { contract, to }) });
  const complete = call(drawing, "completeReassignment", { path: world, body: members(drawing, { contract }) });
  const by = oneOf<Json>(drawing, "PT30S", "PT6M", "PT25H");
  return [
    ...(contracts.length === 0 || synchronizers.length === 0
      ? []
      : [
          { operationId: "beginReassignment", arbitrary: begin, weight: 4 },
          { operationId: "completeReassignment", arbitrary: complete, weight: 4 },
        ]),
    {
      operationId: "advanceClock",
      arbitrary: call(drawing, "advanceClock", { path: world, body: members(drawing, { by }) }),
      weight: 2,
    },
    { operationId: "getWorld", arbitrary: call(drawing, "getWorld", { path: world }), weight: 3 },
  ];
}

/** What the receiver or the sender of an offer needs to go on with it. */
export function choiceContext(drawing: Generators, choice: "Accept" | "Withdraw"): Arbitrary<Step> {
  return call(drawing, `getTransferInstruction${choice}Context`, {
    path: { transferInstructionId: oneOf<Json>(drawing, recall("instructionId"), "none") },
    body: oneOf<Json>(drawing, {}, { excludeDebugFields: true }),
  });
}

function lookingUp(drawing: Generators): Arbitrary<Step> {
  const { fc, material } = drawing;
  const valid = fc
    .record({
      sender: account(drawing),
      receiver: account(drawing),
      amount: weighted(drawing, oneOf<Json>(drawing, "1.0", "-1", 5), oneOf<Json>(drawing, "x")),
      instrument: weighted(drawing, oneOf<Json>(drawing, material.instrument.id), oneOf<Json>(drawing, "none-such")),
      isSelf: oneOf(drawing, false, false, true),
    })
    .map(({ receiver, isSelf, ...given }) =>
      choiceArguments(drawing, { ...given, receiver: isSelf ? given.sender : receiver }),
    );
  const malformed = oneOf<Json>(drawing, {}, null, { transfer: 5 }, "text");
  const body = members(drawing, {
    choiceArguments: weighted(drawing, valid, malformed),
    "excludeDebugFields?": weighted(drawing, oneOf<Json>(drawing, true, false), oneOf<Json>(drawing, "x")),
  });
  return call(drawing, "getTransferFactory", { body });
}

function account(drawing: Generators): Arbitrary<Json> {
  const owner = weighted(
    drawing,
    oneOf<Json>(drawing, ...drawing.material.parties, recall("party")),
    oneOf<Json>(drawing, null, "", "no-party"),
  );
  const id = weighted(drawing, oneOf<Json>(drawing, ""), oneOf<Json>(drawing, "savings"));
  return members(drawing, { owner, provider: oneOf<Json>(drawing, null), id });
}

function choiceArguments({ material }: Generators, given: JsonObject): Json {
  return {
    transfer: {
      sender: given["sender"] ?? null,
      receiver: given["receiver"] ?? null,
      amount: given["amount"] ?? null,
      instrumentId: { admin: material.instrument.admin, id: given["instrument"] ?? null },
      requestedAt: material.past,
      executeBefore: material.future,
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
