import { statSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import type { Exchange } from "../../../foundation/http/exchange.ts";
import { profileNamesOf } from "../../../foundation/spec/spec.ts";
import { advise } from "../../../foundation/text/suggestion.ts";
import { createRedactor } from "../../../recordings/redaction/redactor.ts";
import type { ScenarioPlaces } from "../../../scenarios/inference/documents.ts";
import { type InferredScenario, inferScenario } from "../../../scenarios/inference/infer-scenario.ts";
import type { Play } from "../../../scenarios/inference/rehearse.ts";
import { asLoopback, loopbackAccess } from "../../../stub/control/access.ts";
import { withControl } from "../../../stub/control/control.ts";
import { packagedFile } from "../../library/files.ts";
import { hostScenario } from "../../library/host-scenario.ts";
import { keepHeapSmall } from "../files/keep-heap-small.ts";
import { namedFile } from "../files/named-file.ts";
import { exchangesOf } from "../files/recording.ts";
import { checkNew, forceFlag, writeWhole } from "../files/write-whole.ts";
import type { Command, Environment, Options } from "../options.ts";
import { profileFlag } from "../release-flags.ts";
import { exitCodes, UserError } from "../user-error.ts";
import { inferredFrom } from "./inferred-from.ts";

const stepsMaxDefault = 1000;
/** More steps are no scenario that a person reads, and trying them takes too long. */
const stepsMaxMost = 10_000;

export const scenario: Command = {
  name: "scenario",
  usage: "scenario RECORDING [--out FOLDER|FILE]",
  flags: [
    {
      name: "out",
      type: "string",
      value: "FOLDER|FILE",
      help: "write the scenario there, and the fixtures beside it (default: this folder, named like the recording)",
    },
    forceFlag,
    profileFlag("release of the ledger (default: found out by trying)"),
    {
      name: "steps-max",
      type: "string",
      value: "N",
      help: `exchanges that become steps; of a longer recording only the fixtures are made (default ${stepsMaxDefault})`,
    },
  ],
  run: runInference,
};

async function runInference(options: Options, environment: Environment): Promise<number> {
  const [file, ...others] = options.positionals;
  if (file === undefined || others.length > 0) throw new UserError("scenario takes exactly one recording.");
  const targets = targetsOf(file, options);
  for (const target of [targets.scenario, targets.ledger, targets.registry])
    checkNew(namedFile(target, options), [namedFile(file, options)], options);
  keepHeapSmall(environment);
  const inference = inferScenario(withoutSecrets(exchangesOf(file, environment)), {
    name: targets.name,
    origin: file === "-" ? "standard input" : basename(file),
    places: placesOf(targets, options),
    stepsMax: stepsMaxOf(options.text("steps-max")),
    profile: profileRequested(options.text("profile")),
    play,
  });
  const inferred = await inferredFrom(file, inference);
  if (inferred.calls === 0)
    throw new UserError(`${file} holds no exchange of an operation that is described; there is nothing to play.`);
  for (const kind of ["ledger", "registry", "scenario"] as const)
    writeWhole(namedFile(targets[kind], options), inferred.files[kind], { isReplacing: options.flag("force") });
  report(inferred, targets, options, environment);
  return inferred.unresolved.length === 0 ? exitCodes.fine : exitCodes.findings;
}

/** A scenario is for people and for repositories: of a recording that nobody has redacted it takes no token, signature or key. */
async function* withoutSecrets(exchanges: ReturnType<typeof exchangesOf>): AsyncGenerator<Exchange> {
  const redactor = createRedactor({ keepsIds: true });
  for await (const exchange of exchanges) yield redactor.redact(exchange);
}

/** A stub in process that returns its own control API. */
const play: Play = (inferred) => {
  return asLoopback(withControl(hostScenario(inferred, { wallNowMs: () => 0 }), loopbackAccess));
};

interface Targets {
  readonly name: string;
  readonly scenario: string;
  readonly ledger: string;
  readonly registry: string;
}

/** Names after the recording in a folder, or beside the file that was asked for. */
function targetsOf(recording: string, options: Options): Targets {
  const out = options.text("out") ?? ".";
  const isFile =
    /\.(?:ya?ml)$/.test(out) &&
    statSync(namedFile(out, options).path, { throwIfNoEntry: false })?.isDirectory() !== true;
  const stem = isFile
    ? basename(out).replace(/(?:\.arazzo)?\.ya?ml$/, "")
    : basename(recording).replace(/\.(?:har|jsonl?|ndjson)$/i, "");
  const name = stem.replaceAll(/[^\w-]+/g, "-").replaceAll(/^-+|-+$/g, "") || "recorded";
  const folder = isFile ? dirname(out) : out;
  return {
    name,
    scenario: isFile ? out : join(folder, `${name}.arazzo.yaml`),
    ledger: join(folder, `${name}.ledger.yaml`),
    registry: join(folder, `${name}.registry.yaml`),
  };
}

function placesOf({ scenario: target, ledger, registry }: Targets, options: Options): ScenarioPlaces {
  const folder = dirname(namedFile(target, options).path);
  const from = (file: string) => relative(folder, namedFile(file, options).path).replaceAll("\\", "/");
  const contract = (name: string) => from(packagedFile(`contracts/${name}.yaml`));
  return {
    given: { ledger: from(ledger), registry: from(registry) },
    sources: {
      ledger: contract("ledger-json-api"),
      registry: contract("token-registry"),
      additionalOperations: contract("additional-operations"),
      control: contract("control"),
    },
  };
}

function stepsMaxOf(text: string | undefined): number {
  const steps = text === undefined ? stepsMaxDefault : Number(text);
  if (!Number.isInteger(steps) || steps < 0 || steps > stepsMaxMost)
    throw new UserError(`--steps-max ${text} is no whole number from 0 to ${stepsMaxMost}.`);
  return steps;
}

function profileRequested(name: string | undefined): string | undefined {
  const known = profileNamesOf("ledger");
  if (name === undefined || known.includes(name)) return name;
  throw new UserError(`--profile ${name} is not known. ${advise(name, known)}`);
}

function report(inferred: InferredScenario, targets: Targets, options: Options, environment: Environment): void {
  const { files: _, outside, ...result } = inferred;
  const written = [targets.scenario, targets.ledger, targets.registry];
  if (options.flag("json")) {
    const left = [...outside].map(([request, count]) => ({ request, count }));
    environment.print(JSON.stringify({ event: "inferred", written, ...result, outside: left }));
    return;
  }
  for (const line of linesOf(inferred, targets)) environment.print(line);
}

function linesOf(
  { profile, calls, steps, outside, leftOut, planned, unresolved }: InferredScenario,
  targets: Targets,
): readonly string[] {
  const what =
    steps === calls
      ? `${steps} ${steps === 1 ? "step" : "steps"} in profile ${profile}`
      : `no steps, since the recording has ${calls} exchanges (--steps-max); the fixtures were not tried`;
  const left = [...outside].map(([request, count]) => (count === 1 ? request : `${request} (${count} times)`));
  return [
    `wrote ${targets.scenario} (${what}), ${basename(targets.ledger)}, ${basename(targets.registry)}`,
    ...listed("not described, and left out:", left),
    ...listed("no fixture can say:", leftOut),
    ...listed("could not be inferred; the plan gives the recorded response:", planned),
    ...listed("NOT PLAYED as it was recorded:", unresolved),
    ...(steps === calls && unresolved.length === 0
      ? [`The stub plays it: every response is the recorded one, ids and times apart.`]
      : []),
  ];
}

function listed(heading: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [heading, ...lines.map((line) => `  ${line}`)];
}
