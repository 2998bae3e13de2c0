import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { red, yellow } from "../../../checker/reports/formats/terminal.ts";
import { plainMask } from "../../../foundation/secrets/mask.ts";
import { loadSpec, type ProfileNames } from "../../../foundation/spec/spec.ts";
import { printable } from "../../../foundation/text/printable.ts";
import { checkPact } from "../../pact/check-interaction.ts";
import type { PactFile, SkippedInteraction } from "../../pact/interaction.ts";
import type { CheckedInteraction, PactFinding } from "../../pact/pact-finding.ts";
import { readPact } from "../../pact/read-pact.ts";
import { errorOfFiles } from "../../programs/files/error-of-files.ts";
import { type NamedFile, namedFile } from "../../programs/files/named-file.ts";
import { readText } from "../../programs/files/unreadable.ts";
import { levelOf } from "../../programs/releases.ts";
import { exitCodes, UserError } from "../../programs/user-error.ts";
import { clientCertificateFlags } from "../flags/client-certificate.ts";
import { profileFlag, profileOf, registryProfileFlag, strictFlag } from "../flags/profile-flags.ts";
import type { Environment, Options, Subcommand } from "../options.ts";
import { brokerFlags, openBroker } from "./broker.ts";

export const pactCheck: Subcommand = {
  name: "pact check",
  usage: "pact check FILE|FOLDER… [flags]\npact check --broker URL [flags]",
  summary: "Check the interactions of Pact files against the spec, without a provider.",
  flags: [
    profileFlag("release to expect (default: the one that the file names, else spec)"),
    registryProfileFlag,
    strictFlag,
    ...brokerFlags,
    ...clientCertificateFlags,
  ],
  pairs: [
    { flags: ["tls-cert", "tls-key"], needs: "broker" },
    { flags: ["build-url"], needs: "publish" },
    { flags: ["include-wip-pacts-since"], needs: "enable-pending" },
  ],
  examples: [
    "understudy pact check pacts/wallet.json --profile canton-3.5 --strict",
    "understudy pact check --broker https://broker.example.com --publish canton-3.5",
  ],
  run: runCheck,
};

async function runCheck(options: Options, environment: Environment): Promise<number> {
  const broker = await openBroker(options, environment);
  if (broker !== undefined && options.positionals.length > 0)
    throw new UserError("pact check takes files or --broker, not both. Remove one of the two.");
  if (broker === undefined && options.positionals.length === 0)
    throw new UserError("pact check needs at least one Pact file, or a folder of them: understudy pact check pacts/");
  const level = levelOf({ strict: options.flag("strict") });
  const files =
    broker === undefined
      ? readAll(
          options.positionals
            .flatMap((word) => filesIn(word, options))
            .map((file) => ({ name: file.name, text: readText(file) })),
        )
      : readAll(broker.pacts.map(({ url, text }) => ({ name: url, text })));
  const results = files.map((file) => {
    const profile = profileOf(options, file.profile ?? "spec");
    const spec = loadSpec(profile, { hasAdditionalOperations: true });
    const isPending = broker?.pacts.find(({ url }) => url === file.name)?.isPending === true;
    return { file, profile: spec.profile, checked: checkPact(file, spec, level), isPending };
  });
  for (const result of results) report(result, options, environment);
  for (const { file, checked } of broker === undefined ? [] : results) {
    const published = isChecked(checked) ? await broker?.publish(file.name, !isContradicting(checked)) : undefined;
    if (published !== undefined) reportPublished(file, published, options, environment);
  }
  return summarize(results, options, environment);
}

interface FileResult {
  readonly file: PactFile;
  readonly profile: ProfileNames;
  readonly checked: readonly CheckedInteraction[];
  /** Whether a contradiction does not fail the check. */
  readonly isPending: boolean;
}

/** A folder stands for the Pact files in it. */
function filesIn(word: string, options: Options): readonly NamedFile[] {
  const named = namedFile(word, options);
  if (statSync(named.path, { throwIfNoEntry: false })?.isDirectory() !== true) return [named];
  const found = readdirSync(named.path)
    .filter((name) => name.endsWith(".json"))
    .sort()
    .map((name) => namedFile(join(word, name), options));
  if (found.length === 0) throw new UserError(`The folder ${word} contains no Pact file (*.json).`);
  return found;
}

interface NamedText {
  readonly name: string;
  readonly text: string;
}

/** Reads all Pacts. Problems of all of them are reported before any is checked. */
function readAll(texts: readonly NamedText[]): readonly PactFile[] {
  const results = texts.map(({ name, text }) => readPact(name, text));
  const problems = results.flatMap((result) => (result.type === "invalid" ? result.problems : []));
  if (problems.length > 0) throw errorOfFiles(problems);
  return results.flatMap((result) => (result.type === "read" ? [result.file] : []));
}

function isChecked(checked: readonly CheckedInteraction[]): boolean {
  return checked.some(({ outcome }) => outcome !== "unsupported");
}

function isContradicting(checked: readonly CheckedInteraction[]): boolean {
  return checked.some(({ outcome }) => outcome === "contradicts");
}

function reportPublished({ name }: PactFile, version: string, options: Options, { print }: Environment): void {
  if (options.flag("json")) print(JSON.stringify({ event: "published", file: name, version }));
  else print(`published ${name} for version ${version}`);
}

function report(result: FileResult, options: Options, environment: Environment): void {
  if (options.flag("json")) for (const event of eventsOf(result)) environment.print(JSON.stringify(event));
  else for (const line of linesOf(result, environment.isColoured)) environment.print(line);
}

function eventsOf({ file, profile, checked, isPending }: FileResult): readonly object[] {
  return [
    ...checked.map(({ interaction, outcome, operationId, findings }) => ({
      event: "interaction",
      file: file.name,
      line: file.placeOf(interaction.path).line,
      description: interaction.description,
      providerStates: interaction.providerStates,
      outcome,
      operationId,
      profile,
      ...(isPending ? { isPending } : {}),
      findings: findings.map(({ path, ...finding }) => ({ ...finding, line: file.placeOf(path).line })),
    })),
    ...file.skipped.map(({ description, reason, path }) => ({
      event: "skipped",
      file: file.name,
      line: file.placeOf(path).line,
      description,
      reason,
    })),
  ];
}

const marks = { fine: "fine", warned: "warn", contradicts: "CONTRADICTS", unsupported: "skipped" } as const;
const markWidth = marks.contradicts.length;

function linesOf({ file, profile, checked, isPending }: FileResult, isColoured: boolean): readonly string[] {
  const { name, consumer, provider, version } = file;
  return [
    `${name}: ${printable(consumer)} relies on ${printable(provider)} (Pact V${version}), ${isPending ? "pending, " : ""}checked against ${profile.ledger}, registry ${profile.registry}`,
    ...checked.flatMap((each) => interactionLines(file, each, isColoured)),
    ...file.skipped.map((each) => skippedLine(file, each)),
  ];
}

function interactionLines(file: PactFile, checked: CheckedInteraction, isColoured: boolean): readonly string[] {
  const { interaction, outcome, findings } = checked;
  const colour = isColoured ? { contradicts: red, warned: yellow, fine: plain, unsupported: plain }[outcome] : plain;
  const states = interaction.providerStates.map(({ name }) => name).filter((name) => name !== "");
  const given = states.length === 0 ? "" : `, given ${states.join(" and ")}`;
  const { method, target } = interaction.request;
  const note = outcome === "unsupported" ? ` (unsupported operation: ${method} ${plainMask(target)})` : "";
  return [
    `  ${colour(marks[outcome].padEnd(markWidth))}  ${printable(`${interaction.description}${given}${note}`)}`,
    ...findings.flatMap((finding) => findingLines(file, finding)),
  ];
}

function plain(text: string): string {
  return text;
}

const indent = " ".repeat(markWidth + 4);

function findingLines(file: PactFile, finding: PactFinding): readonly string[] {
  const { at, pointer, expected, actual, section, divergence } = finding;
  const place = `${at}${pointer === "" ? "" : ` ${pointer}`} (line ${file.placeOf(finding.path).line})${finding.outcome === "WARN" ? ", a warning" : ""}`;
  const source = section === "" ? [] : [`spec §${section}`];
  const known = divergence === undefined ? [] : [`KNOWN ${divergence}`];
  const origin = [...source, ...known].join(", ");
  return [
    `${indent}${printable(place)}`,
    `${indent}  spec  ${printable(expected)}${origin === "" ? "" : ` (${origin})`}`,
    `${indent}  pact  ${printable(actual)}`,
  ];
}

function skippedLine(file: PactFile, { description, reason, path }: SkippedInteraction): string {
  const text = `${description} (line ${file.placeOf(path).line}): ${reason}`;
  return `  ${marks.unsupported.padEnd(markWidth)}  ${printable(text)}`;
}

function summarize(results: readonly FileResult[], options: Options, environment: Environment): number {
  const all = results.flatMap(({ checked }) => checked);
  const count = (outcome: CheckedInteraction["outcome"], among = all) =>
    among.filter((each) => each.outcome === outcome).length;
  const pending = count(
    "contradicts",
    results.flatMap(({ isPending, checked }) => (isPending ? checked : [])),
  );
  const counts = {
    fine: count("fine"),
    warned: count("warned"),
    contradicting: count("contradicts") - pending,
    pending,
    skipped: count("unsupported") + results.flatMap(({ file }) => file.skipped).length,
  };
  const total = counts.fine + counts.warned + counts.contradicting + counts.pending + counts.skipped;
  const isChecked = total > counts.skipped;
  if (options.flag("json")) environment.print(JSON.stringify({ event: "checked", interactions: total, ...counts }));
  else environment.print(summaryLine(total, counts, environment.isColoured));
  if (!isChecked)
    environment.printError(
      "No interaction was checked, so the check does not pass. Only HTTP interactions with operations of the spec are checked.",
    );
  if (!isChecked) return exitCodes.incomplete;
  return counts.contradicting > 0 ? exitCodes.findings : exitCodes.fine;
}

interface Counts {
  readonly fine: number;
  readonly warned: number;
  /** Contradictions in Pacts that are not pending. */
  readonly contradicting: number;
  /** Contradictions in pending Pacts. */
  readonly pending: number;
  readonly skipped: number;
}

function summaryLine(total: number, counts: Counts, isColoured: boolean): string {
  const { fine, warned, contradicting, pending, skipped } = counts;
  const parts = [
    `${fine} fine`,
    ...(warned === 0 ? [] : [`${warned} with warnings`]),
    ...(contradicting === 0 ? [] : [`${contradicting} ${contradicting === 1 ? "contradicts" : "contradict"} the spec`]),
    ...(pending === 0 ? [] : [`${pending} in pending Pacts, which cannot fail the check`]),
    ...(skipped === 0 ? [] : [`${skipped} skipped`]),
  ];
  const line = `${total} ${total === 1 ? "interaction" : "interactions"}: ${parts.join(", ")}`;
  return isColoured && contradicting > 0 ? red(line) : line;
}
