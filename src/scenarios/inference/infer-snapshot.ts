import type { Exchange } from "../../foundation/http/exchange.ts";
import { activeIn, differingMembers, isActiveList } from "./active-contracts.ts";
import { type ScenarioPaths, scenarioText } from "./documents.ts";
import { assembled, fixtureTexts, type ScenarioFiles, worldOf } from "./draft.ts";
import { disagreementText } from "./infer-scenario.ts";
import { Observations } from "./observations.ts";
import { type CreateStub, rehearse } from "./plan-differences.ts";
import { createCallReader, playedAs, type RecordedCall } from "./recorded-call.ts";
import { stepsOf } from "./steps.ts";

interface SnapshotOptions {
  readonly name: string;
  /** The node, and when it was read. */
  readonly origin: string;
  readonly paths: ScenarioPaths;
  /** The release of the ledger; inferred if undefined. */
  readonly profile: string | undefined;
  readonly createStub: CreateStub;
}

/** The world of a node that was only read: a scenario without steps, and its fixtures. */
export interface InferredSnapshot {
  readonly files: ScenarioFiles;
  readonly profile: string;
  /** Responses of the node. */
  readonly reads: number;
  readonly contracts: number;
  /** Values for which the fixtures have placeholders, and parts that they cannot express. */
  readonly notExpressible: readonly string[];
  /** Responses that the stub gives otherwise: a line for each. */
  readonly different: readonly string[];
}

/** Infers the state of a node from successful reads, and compares the responses of a stub of this state with them. */
export async function inferSnapshot(
  exchanges: AsyncIterable<Exchange>,
  { name, origin, paths, createStub, ...given }: SnapshotOptions,
): Promise<InferredSnapshot> {
  const read = createCallReader();
  const calls: RecordedCall[] = [];
  for await (const exchange of exchanges) calls.push(...[read(exchange) ?? []].flat());
  const observations = new Observations();
  for (const call of calls) observations.note(call);
  const lists = calls.filter(({ operation }) => isActiveList(operation.operationId));
  for (const call of lists) observations.noteActive(call);
  const profile = given.profile ?? observations.profiles[0] ?? "spec";
  const initialState = observations.initialState(profile);
  const { startMs, notExpressible } = initialState;
  const steps = stepsOf(calls);
  const stub = createStub(worldOf(initialState, { profile, name, plan: [] }));
  const { disagreements, played } = await rehearse(
    stub,
    assembled(steps, () => []),
    steps,
  );
  const isList = (place: number) => isActiveList(steps[place]?.call.operation.operationId ?? "");
  const recorded = lists.flatMap(({ response }) => activeIn(response));
  const shown = [...played].flatMap(([place, exchange]) => {
    const call = steps[place]?.call;
    return call === undefined || !isList(place) ? [] : activeIn(playedAs(call, exchange).response);
  });
  const parts = { name, profile, startMs, plan: [], steps: [], description: `The world of ${origin}.` };
  return {
    files: { scenario: scenarioText(parts, paths), ...fixtureTexts(initialState, `of ${origin}`) },
    ...{ profile, reads: calls.length, contracts: recorded.length },
    notExpressible: [...observations.placeholders, ...notExpressible],
    different: [
      ...disagreements.flatMap((disagreement) => {
        const call = steps[disagreement.place]?.call;
        if (call === undefined || isList(disagreement.place)) return [];
        const { method, target } = call.exchange.request;
        return [`${method} ${target}: ${disagreementText(disagreement, call)}`];
      }),
      ...[...differingMembers(recorded, shown)].map(([member, count]) => `${member} of ${count} active contracts`),
    ],
  };
}
