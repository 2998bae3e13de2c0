import { basename } from "node:path";
import { shortened } from "../../../foundation/text/shortened.ts";
import { type InferredScenario, inferScenario } from "../../../scenarios/inference/infer-scenario.ts";
import { worldList } from "../../../scenarios/inference/read-world.ts";
import { inferredFrom } from "../../programs/files/inferred-from.ts";
import { exchangesOf } from "../../programs/files/recording.ts";
import { exitCodes, UserError } from "../../programs/user-error.ts";
import { numberOf } from "../flags/named-numbers.ts";
import { ledgerProfile, namedProfile } from "../flags/profile-flags.ts";
import type { Environment, Flag, NamedNumber, Options } from "../options.ts";
import { limitFlag } from "../server/limit-flags.ts";
import { otherWorldsLine } from "./other-worlds-line.ts";
import {
  checkTargets,
  createStub,
  pathsOf,
  type Targets,
  targetsOf,
  withoutSecrets,
  writeTargets,
} from "./scenario-files.ts";

const stepsLimit: NamedNumber = {
  name: "stepsMax",
  byDefault: 1000,
  min: 0,
  max: 10_000,
  quantity: "exchanges of a recording that become steps; with more there are none",
};

export const stepsLimitFlag: Flag = limitFlag([stepsLimit]);

/** Writes a scenario and fixtures that reproduce a recording. */
export async function importScenario(file: string, options: Options, environment: Environment): Promise<number> {
  const targets = targetsOf(file, options);
  checkTargets(targets, file, options);
  const requested = namedProfile(options);
  const inference = inferScenario(withoutSecrets(exchangesOf(file, environment)), {
    name: targets.name,
    origin: file === "-" ? "standard input" : basename(file),
    paths: pathsOf(targets, options),
    stepsMax: numberOf(options, stepsLimitFlag, stepsLimit),
    profile: requested === undefined ? undefined : ledgerProfile(requested),
    world: options.text("world"),
    createStub,
  });
  const inferred = await inferredFrom(file, inference);
  if (inferred.calls === 0 && inferred.otherWorlds.size > 0)
    throw new UserError(
      `${file} has no exchange of the world ${inferred.world}. Its worlds: ${worldList(inferred.otherWorlds)}.`,
    );
  if (inferred.calls === 0)
    throw new UserError(
      `${file} has no exchange with a known operation, so there are no steps to write. Record requests to the ledger or the registry.`,
    );
  if (inferred.calls === inferred.withoutResponse)
    throw new UserError(
      `${file} has no complete response, so there is no world to infer. Export the recording with its content, or record with: understudy record`,
    );
  writeTargets(targets, inferred.files, options);
  printResult(inferred, targets, options, environment);
  return inferred.unresolved.length === 0 ? exitCodes.fine : exitCodes.findings;
}

function printResult(inferred: InferredScenario, targets: Targets, options: Options, environment: Environment): void {
  const { files: _, unsupported, otherWorlds, ...result } = inferred;
  const written = [targets.scenario, targets.ledger, targets.registry];
  if (options.flag("json")) {
    const event = {
      event: "inferred",
      written,
      ...result,
      otherWorlds: [...otherWorlds].map(([world, exchanges]) => ({ world, exchanges })),
      unsupported: [...unsupported].map(([request, count]) => ({ request, count })),
    };
    environment.print(JSON.stringify(event));
    return;
  }
  for (const line of linesOf(inferred, targets)) environment.print(line);
}

function linesOf(inferred: InferredScenario, targets: Targets): readonly string[] {
  const { profile, calls, steps, unsupported, notExpressible, planned, unresolved } = inferred;
  const content =
    steps === calls
      ? `${steps} ${steps === 1 ? "step" : "steps"} in profile ${profile}`
      : `no steps: the recording has ${calls} exchanges, more than --limit stepsMax; the fixtures are not verified`;
  const requests = [...unsupported].map(([request, count]) => (count === 1 ? request : `${request} (${count} times)`));
  return [
    `wrote ${targets.scenario} (${content}), ${basename(targets.ledger)}, ${basename(targets.registry)}`,
    ...[otherWorldsLine(inferred) ?? []].flat(),
    ...listed("skipped, not operations of a node:", requests),
    ...listed("skipped, not expressible in a fixture:", notExpressible),
    ...(steps === calls ? [responsesLine(inferred)] : []),
    ...listed("planned, because the stub computes another response:", planned),
    ...listed("DIFFERENT from the recording when played:", unresolved),
    ...(steps === calls && unresolved.length === 0 ? [playedSentence(inferred)] : []),
  ];
}

function responsesLine({ computed, planned, unresolved, withoutResponse }: InferredScenario): string {
  const others = [
    ...(unresolved.length === 0 ? [] : [`${unresolved.length} different`]),
    ...(withoutResponse === 0 ? [] : [`${withoutResponse} not in the recording`]),
  ];
  return `Responses: ${[`${computed} computed by the stub`, `${planned.length} planned`, ...others].join(", ")}.`;
}

function playedSentence({ calls, withoutResponse }: InferredScenario): string {
  return withoutResponse === 0
    ? "The stub plays it: every response equals the recorded one, except ids and times."
    : `The stub plays it: ${calls - withoutResponse} of ${calls} responses equal the recorded ones, except ids and times. The recording has no complete response for the others.`;
}

export function listed(heading: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [heading, ...lines.map((line) => `  ${shortened(line)}`)];
}
