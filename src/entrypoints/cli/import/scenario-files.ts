import { statSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import type { Exchange } from "../../../foundation/http/exchange.ts";
import { createRedactor } from "../../../recordings/redaction/redactor.ts";
import type { ScenarioPaths } from "../../../scenarios/inference/documents.ts";
import type { ScenarioFiles } from "../../../scenarios/inference/draft.ts";
import type { CreateStub } from "../../../scenarios/inference/plan-differences.ts";
import { asLoopback, loopbackAccess } from "../../../stub/control/access.ts";
import { withControl } from "../../../stub/control/control.ts";
import { packagedFile } from "../../library/files.ts";
import { hostScenario } from "../../library/host-scenario.ts";
import { namedFile } from "../../programs/files/named-file.ts";
import { writeWhole } from "../../programs/files/write-whole.ts";
import { checkNew } from "../flags/force-flag.ts";
import type { Options } from "../options.ts";

/** A stub in this process, with its control API. */
export const createStub: CreateStub = (inferred) => {
  return asLoopback(withControl(hostScenario(inferred, { wallNowMs: () => 0 }), loopbackAccess));
};

/** The files of a scenario with its fixtures, as the user names them. */
export interface Targets {
  readonly name: string;
  readonly scenario: string;
  readonly ledger: string;
  readonly registry: string;
}

/** Paths of the three files: named after the recording in a folder, or beside the file that `--out` names. */
export function targetsOf(recording: string, options: Options): Targets {
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

/** The paths in the scenario file: of its fixtures and of the API descriptions. */
export function pathsOf({ scenario: target, ledger, registry }: Targets, options: Options): ScenarioPaths {
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

/** Throws a UserError for a file that exists, or that is read: the recording, where there is one. */
export function checkTargets(targets: Targets, recording: string | undefined, options: Options): void {
  const read = recording === undefined ? [] : [namedFile(recording, options)];
  for (const kind of kinds) checkNew(namedFile(targets[kind], options), read, options);
}

export function writeTargets(targets: Targets, files: ScenarioFiles, options: Options): void {
  for (const kind of kinds)
    writeWhole(namedFile(targets[kind], options), files[kind], { isReplacing: options.flag("force") });
}

const kinds = ["ledger", "registry", "scenario"] as const;

/** Removes tokens, signatures and keys: a scenario goes into a repository, and the exchanges are possibly not redacted. */
export async function* withoutSecrets(
  exchanges: AsyncIterable<Exchange> | Iterable<Exchange>,
): AsyncGenerator<Exchange> {
  const redactor = createRedactor({ keepsIds: true });
  for await (const exchange of exchanges) yield redactor.redact(exchange);
}
