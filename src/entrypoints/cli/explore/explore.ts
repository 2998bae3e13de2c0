import { dirname, relative } from "node:path";
import type { Arbitrary } from "fast-check";
import { shellWord } from "../../../checker/engine/curl-line.ts";
import { red } from "../../../checker/reports/formats/terminal.ts";
import { createMask } from "../../../foundation/secrets/mask.ts";
import type { ProfileNames } from "../../../foundation/spec/spec.ts";
import { printable } from "../../../foundation/text/printable.ts";
import {
  type Exploration,
  explore as exploreWith,
  type Finding,
  type Progress,
} from "../../../scenarios/exploration/explore.ts";
import { type FastCheck, FastCheckMissing, loadFastCheck } from "../../../scenarios/exploration/fast-check.ts";
import { inputsOf } from "../../../scenarios/exploration/inputs.ts";
import { findingLines, renderRun } from "../../../scenarios/exploration/render-finding.ts";
import type { Tokens } from "../../../scenarios/exploration/request-of.ts";
import type { Side } from "../../../scenarios/exploration/run-sequence.ts";
import { type StepSequence, sequencesOver } from "../../../scenarios/exploration/steps.ts";
import { writeScenario } from "../../../scenarios/exploration/write-scenario.ts";
import { isPlayable, type Scenario } from "../../../scenarios/files/load-scenario.ts";
import { asLoopback, loopbackAccess } from "../../../stub/control/access.ts";
import { withControl } from "../../../stub/control/control.ts";
import { defaultWorldId } from "../../../stub/hosting/world-id.ts";
import { packagedFile, quickstartScenario } from "../../library/files.ts";
import { hostScenario } from "../../library/host-scenario.ts";
import { fileOf, type NamedFile } from "../files/named-file.ts";
import { filesOfScenario, loadScenarioFile } from "../files/scenario-file.ts";
import { writeBigint } from "../files/write-bigint.ts";
import { checkNew, forceFlag, writeWhole } from "../files/write-whole.ts";
import { oneOf } from "../flags/one-of.ts";
import { namedProfile, profileFlag, profileOf, registryProfileFlag } from "../flags/profile-flags.ts";
import { timeoutFlag } from "../flags/timeout.ts";
import { wholeNumber } from "../flags/whole-number.ts";
import { booleanFlag, type Command, choiceFlag, type Environment, type Options, textFlag } from "../options.ts";
import { controlTokenFlag, controlTokenVariable } from "../server/control-access.ts";
import { type StopRequest, stopRequestOf } from "../stop-request.ts";
import { exitCodes, UserError } from "../user-error.ts";
import { checkExplorable, type Target, targetOf } from "./explore-target.ts";

const authModes = ["bearer", "user", "none"] as const;

export const explore: Command = {
  name: "explore",
  usage: "explore [SCENARIO] --ledger URL [flags]",
  flags: [
    textFlag("ledger", "URL", "base URL of the ledger"),
    textFlag("token", "TOKEN", "token of an administrator of the target"),
    choiceFlag("auth", "MODE", authModes, "how the stub reads tokens: bearer, user or none (default: as the target)"),
    profileFlag("release of the stub (default: the target's)"),
    registryProfileFlag,
    textFlag("steps", "N", "number of requests to send (default 1000)"),
    textFlag("sequence-length", "N", "requests per sequence (default 20)"),
    textFlag("seed", "N", "repeat the run that had this seed"),
    textFlag("path", "PATH", "repeat one difference: its path from the report (needs --seed)"),
    timeoutFlag("time limit for a response of the target (default 30)"),
    controlTokenFlag,
    booleanFlag("writes", "allow requests that change a target other than a stub"),
    textFlag("out", "FILE", "write the shortest sequence with a difference as a scenario to this file"),
    forceFlag,
  ],
  examples: [
    "understudy explore --ledger http://localhost:7575",
    "understudy explore --ledger http://localhost:7575 --steps 5000 --seed 7 --out difference.yaml",
  ],
  run: runExplore,
};

/** The options of the command line. */
interface ExploreOptions {
  readonly file: string;
  readonly steps: number;
  readonly sequenceLength: number;
  readonly seed: number;
  /** Ids of users that are created at a node begin with it. */
  readonly userPrefix: string;
  readonly path: string | undefined;
  readonly authentication: "bearer" | "user" | "none" | undefined;
  readonly tokens: Tokens;
}

/** A target and the stub that it is compared with. */
interface Pair {
  readonly requested: ExploreOptions;
  readonly target: Target;
  readonly scenario: Scenario;
  readonly profile: ProfileNames;
}

async function runExplore(options: Options, environment: Environment): Promise<number> {
  const requested = exploreOptionsOf(options);
  const fastCheck = await loadedFastCheck();
  const stop = stopRequestOf(environment);
  const target = await targetOf(options, requested.tokens.administrator);
  await checkExplorable(target, requested.tokens, options);
  const pair = pairOf(requested, target, options);
  const out = fileOf("out", options);
  if (out !== undefined) checkNew(out, filesOfScenario(pair.scenario, options), options);
  if (!options.flag("json")) for (const line of headingOf(pair, options)) environment.print(line);
  const exploration = await explorePair(pair, fastCheck, stop, environment);
  const { finding } = exploration;
  if (finding !== undefined && out !== undefined)
    writeWhole(out, scenarioText(pair, finding, out), { isReplacing: options.flag("force") });
  report(pair, exploration, options, environment);
  if (finding !== undefined) return exitCodes.findings;
  return exploration.isStopped ? exitCodes.interrupted : exitCodes.fine;
}

async function loadedFastCheck(): Promise<FastCheck> {
  try {
    return await loadFastCheck();
  } catch (error) {
    if (error instanceof FastCheckMissing)
      throw new UserError("explore needs the package fast-check. Install it: npm install fast-check");
    throw error;
  }
}

/** The first user of a node and of the stub. */
const administrator = "participant_admin";
const stepsMax = 10_000_000;
const sequenceLengthMax = 1000;
const seedMax = 2 ** 31 - 1;

function exploreOptionsOf(options: Options): ExploreOptions {
  if (options.positionals.length > 1) throw new UserError("explore takes one scenario.");
  const auth = options.text("auth");
  const authentication = auth === undefined ? undefined : oneOf("auth", auth, authModes);
  const path = options.text("path");
  if (path !== undefined && !/^\d+(?::\d+)*$/.test(path))
    throw new UserError(`--path ${path}: not a valid path. Use the path that explore printed, such as 17:3:1.`);
  if (path !== undefined && options.text("seed") === undefined)
    throw new UserError("--path needs the --seed of the same run.");
  const startedMs = Date.now();
  const seed = wholeNumber(options, "seed", { byDefault: startedMs % seedMax, min: 0, max: seedMax });
  return {
    file: options.positionals[0] ?? packagedFile(quickstartScenario),
    steps: wholeNumber(options, "steps", { byDefault: 1000, min: 1, max: stepsMax }),
    sequenceLength: wholeNumber(options, "sequence-length", { byDefault: 20, min: 1, max: sequenceLengthMax }),
    seed,
    userPrefix: `understudy-explore-${seed}-${startedMs.toString(36)}`,
    path,
    authentication,
    tokens: { administrator: options.text("token") ?? administrator, plain: "", unknown: "unknown-user" },
  };
}

function pairOf(requested: ExploreOptions, target: Target, options: Options): Pair {
  const profile = profileOf(options, target.profile);
  const scenario = loadScenarioFile(requested.file, options, { profile: profile.ledger, startMs: target.startMs });
  const { workflow, file, initial } = scenario;
  if (target.scenario !== undefined && target.scenario !== workflow["workflowId"])
    throw new UserError(
      `${target.url} serves the scenario ${target.scenario}, and ${file} is ${String(workflow["workflowId"])}. Name the scenario that the target serves.`,
    );
  if (!isPlayable(initial.ledger, profile.ledger))
    throw new UserError(`${file} cannot be played in ${profile.ledger}: its ledger has no identity provider.`);
  const given = options.text("token");
  if (target.authentication === "jwt" && given === undefined)
    throw new UserError(`${target.url} verifies tokens. Set --token "$(understudy token --user participant_admin)".`);
  const [plain = "unknown-user"] = inputsOf(scenario).users;
  // A given token replaces all tokens: tokens of other users are unknown.
  const tokens = given === undefined ? { ...requested.tokens, plain } : sameTokens(given);
  return { requested: { ...requested, tokens }, target, scenario, profile };
}

function sameTokens(token: string): Tokens {
  return { administrator: token, plain: token, unknown: token };
}

function headingOf({ requested, target, scenario, profile }: Pair, options: Options): readonly string[] {
  const reason = namedProfile(options) === undefined ? target.profileReason : "set by --profile";
  const scope =
    target.scope === "world"
      ? "is a stub. Each sequence runs in a new world."
      : `is not a stub. The sequences create users there with the prefix ${requested.userPrefix}, and use only these.`;
  return [
    `Oracle: the stub, ${scenario.file} in profile ${profile.ledger}, registry ${profile.registry} (${reason}).`,
    `Target: ${target.url} ${scope}`,
  ];
}

async function explorePair(
  pair: Pair,
  fastCheck: FastCheck,
  stop: StopRequest,
  environment: Environment,
): Promise<Exploration> {
  const { requested, target } = pair;
  return exploreWith(
    {
      sequences: sequencesFor(pair, fastCheck),
      openOracle: oracleOf(pair),
      openTarget: () => target.open(requested.tokens),
      stepsMax: requested.steps,
      runLength: requested.sequenceLength,
      seed: requested.seed,
      path: requested.path,
      prefixOf: (run) => (target.scope === "world" ? "walker" : `${requested.userPrefix}-${run}`),
      onRun: (progress) => environment.progress(progressLine(progress, requested)),
      isStopped: () => stop.isRequested,
    },
    fastCheck,
  );
}

/** A target that verifies tokens gets no step that advances the clock, because its tokens would expire. */
function sequencesFor({ target, scenario }: Pair, fastCheck: FastCheck): Arbitrary<StepSequence> {
  const sequences = sequencesOver(fastCheck, inputsOf(scenario), target.scope);
  if (target.authentication !== "jwt") return sequences;
  return sequences.map((steps) => steps.filter(({ operationId }) => operationId !== "advanceClock"));
}

/** Creates a stub of the scenario. Each sequence runs in a new world. */
function oracleOf({ requested, scenario, profile, target }: Pair): () => Promise<Side> {
  const played = requested.authentication ?? target.authentication ?? "bearer";
  const authentication = played === "jwt" ? "user" : played;
  const { tokens } = requested;
  const isGiven = tokens.plain === tokens.administrator;
  const hosting = hostScenario(scenario, {
    profile,
    auth: authentication,
    hasAdditionalOperations: target.hasAdditionalOperations,
    wallNowMs: Date.now,
  });
  const handler = asLoopback(withControl(hosting, loopbackAccess));
  return async () => {
    const id = hosting.fork(defaultWorldId, "start");
    if (id === undefined) throw new Error("invariant: the stub has room for one more world");
    return {
      // The stub does not know the token of the target, so its own administrator sends the requests.
      tokens: isGiven ? sameTokens(administrator) : tokens,
      handler: (request) => {
        const moved = request.target.replace("/__understudy/worlds/default", `/__understudy/worlds/${id}`);
        return handler({
          ...request,
          target: moved,
          headers: [...request.headers, ["Understudy-World", id]],
        });
      },
      end: async () => {
        hosting.remove(id);
      },
    };
  };
}

function progressLine({ runs, steps, isShrinking }: Progress, { steps: all }: ExploreOptions): string {
  return isShrinking
    ? `difference found; shrinking it (sequence ${runs})`
    : `${steps} of ${all} steps, ${runs} sequences`;
}

/** The command that repeats the run, or one difference. */
function repeatLine({ requested, target, profile }: Pair, path: string | undefined, options: Options): string {
  const [scenario] = options.positionals;
  const kept = ["auth", "timeout"].flatMap((name) => {
    const value = options.text(name);
    return value === undefined ? [] : [`--${name} ${shellWord(value)}`];
  });
  return [
    "understudy explore",
    ...(scenario === undefined ? [] : [shellWord(scenario)]),
    `--ledger ${target.url}`,
    ...(options.text("token") === undefined ? [] : ['--token "$TOKEN"']),
    ...(options.isWord("control-token") ? [`--control-token "$${controlTokenVariable}"`] : []),
    ...kept,
    ...(options.flag("writes") ? ["--writes"] : []),
    `--profile ${profile.ledger} --registry-profile ${profile.registry}`,
    `--steps ${requested.steps} --sequence-length ${requested.sequenceLength} --seed ${requested.seed}`,
    ...(path === undefined ? [] : [`--path ${path}`]),
  ].join(" ");
}

function scenarioText(pair: Pair, { run, path }: Finding, out: NamedFile): string {
  const { requested, scenario, profile, target } = pair;
  const folder = dirname(out.path);
  const from = (file: string) => relative(folder, file).replaceAll("\\", "/");
  const [, ledger = "", registry = ""] = scenario.files;
  const contract = (name: string) => from(packagedFile(`contracts/${name}.yaml`));
  return writeScenario(run, {
    workflow: scenario.workflow,
    given: { ledger: from(ledger), registry: from(registry) },
    sources: {
      ledger: contract("ledger-json-api"),
      registry: contract("token-registry"),
      additionalOperations: contract("additional-operations"),
      control: contract("control"),
    },
    profile: profile.ledger,
    tokens: requested.tokens.plain === requested.tokens.administrator ? sameTokens(administrator) : requested.tokens,
    repeat: `understudy explore --ledger ${target.url} --seed ${requested.seed} --path ${path}`,
  });
}

function report(pair: Pair, exploration: Exploration, options: Options, environment: Environment): void {
  const { requested, target, profile } = pair;
  const { runs, steps, finding, statusCounts, isStopped } = exploration;
  const given = options.text("token");
  const mask = createMask(given === undefined ? [] : [given]);
  const shown = finding === undefined ? undefined : renderRun(finding.run, target.url, mask);
  const repeat = repeatLine(pair, finding?.path, options);
  const notDeleted = [...target.created.notDeleted];
  if (options.flag("json")) {
    const statuses = Object.fromEntries(
      [...statusCounts].map(([operation, counts]) => [operation, Object.fromEntries(counts)]),
    );
    const difference = shown === undefined ? undefined : { ...shown, path: finding?.path, shrinks: finding?.shrinks };
    const about = { event: "explored", target: target.url, scope: target.scope, profile, seed: requested.seed };
    const counts = { runs, steps, isStopped, statusCounts: statuses, created: [...target.created.users], notDeleted };
    environment.print(JSON.stringify({ ...about, ...counts, repeat, difference }, writeBigint));
    return;
  }
  if (shown !== undefined) {
    const mark = environment.isColoured ? red("DIFFERENCE") : "DIFFERENCE";
    const count = shown.steps.length;
    environment.print(`${mark} after ${count} ${count === 1 ? "step" : "steps"} from the start:`);
    for (const line of findingLines(shown)) environment.print(printable(line));
  }
  for (const line of closingLines(pair, exploration, notDeleted)) environment.print(line);
  environment.print(`Repeat: ${repeat}`);
}

function closingLines(
  { target }: Pair,
  { runs, steps, statusCounts, finding, isStopped }: Exploration,
  notDeleted: readonly string[],
): readonly string[] {
  const statuses = [...statusCounts.values()].reduce((sum, counts) => sum + counts.size, 0);
  const shrinking = finding === undefined ? "" : ", including those of shrinking";
  const { users } = target.created;
  return [
    `${isStopped ? "Stopped after" : "Sent"} ${steps} steps in ${runs} sequence${runs === 1 ? "" : "s"}${shrinking}: ${statusCounts.size} operations, ${statuses} pairs of operation and status.`,
    ...(finding === undefined ? ["No difference."] : []),
    ...(users.size === 0
      ? []
      : [`Created ${users.size} users at the target, deleted ${users.size - notDeleted.length}.`]),
    ...(notDeleted.length === 0 ? [] : [`Not deleted: ${notDeleted.join(", ")}`]),
  ];
}
