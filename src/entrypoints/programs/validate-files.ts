import { objectOf } from "../../foundation/json/members.ts";
import { type FileReader, readSource } from "../../scenarios/files/file-reader.ts";
import { checkFixture, fixtureKindOf } from "../../scenarios/files/fixtures/read-fixture.ts";
import { loadScenario, type Scenario } from "../../scenarios/files/load-scenario.ts";
import { type Problem, problemAt } from "../../scenarios/files/problem.ts";
import { providedStates } from "../../scenarios/files/provider-states.ts";
import type { SourceFile } from "../../scenarios/files/source-file.ts";
import { isConfig, isConfigName, readConfig } from "../config/read-config.ts";
import { filesFrom } from "../library/files.ts";
import { configTargetProblems, targetFileProblems } from "./target/target-file.ts";

/** A file with its problems; none for a valid file. */
export interface ValidatedFile {
  readonly file: string;
  readonly problems: readonly Problem[];
}

/** Validates scenarios, fixtures, configs, target and Pact files. Relative names start from the folder. */
export async function validateFiles(names: readonly string[], folder: string): Promise<readonly ValidatedFile[]> {
  const files = filesFrom(folder);
  const read = names.map((file) => validated(file, folder, files));
  const results = await Promise.all(read.map((one) => withProviderStates(one, read)));
  return results.map(({ file, problems }) => ({ file, problems }));
}

/** A file with its problems, and what other files refer to. */
interface Validated extends ValidatedFile {
  /** A scenario without problems. */
  readonly scenario?: Scenario;
  /** The text of a Pact file. */
  readonly pact?: string;
}

/** Checks a file. Members that only one kind of file has determine its kind. */
function validated(file: string, folder: string, files: FileReader): Validated {
  const config = () => {
    const result = readConfig({ name: file, folder, variables: {}, files });
    if (result === undefined) return { file, problems: [] };
    return { file, problems: result.type === "invalid" ? result.problems : configTargetProblems(result.config.source) };
  };
  if (isConfigName(file)) return config();
  const read = readSource(file, files);
  if (read.type === "invalid") return { file, problems: read.problems };
  const { source } = read;
  const has = (member: string) => objectOf(source.value)[member] !== undefined;
  const kind = fixtureKindOf(source);
  if (kind !== undefined) return { file, problems: checkFixture(kind, source, files).problems };
  if (has("interactions") || has("messages")) return { file, problems: [], pact: files.read(file) ?? "" };
  if (has("arazzo") || has("workflows")) {
    const result = loadScenario(file, files);
    return result.type === "loaded"
      ? { file, problems: [], scenario: result.scenario }
      : { file, problems: result.problems };
  }
  if (isConfig(source.value)) return config();
  if (has("ledger") || has("registry") || has("tokens") || has("hooks"))
    return { file, problems: targetFileProblems(source) };
  return { file, problems: [problemAt(source, [], ...otherFile(source))] };
}

/** The problem of a file of another kind, and advice. */
function otherFile({ value }: SourceFile): readonly [problem: string, advice: string] {
  if (objectOf(value)["log"] !== undefined) return ["the file is a recording (HAR)", "Check it with understudy check."];
  if (value === null || value === "") return ["the file is empty", "Write a scenario, a fixture or a target into it."];
  return [
    "unknown kind of file",
    "A member tells the kind: arazzo (scenario), participantId (ledger fixture), admin (registry fixture), ledger or tokens (target), interactions (Pact), serve, check, record, test or targets (config).",
  ];
}

/** Checks a Pact file, and its provider states against the scenarios among the files, if there are any. */
async function withProviderStates(one: Validated, all: readonly Validated[]): Promise<Validated> {
  if (one.pact === undefined) return one;
  const { pactProblems } = await import("../pact/pact-problems.ts");
  const scenarios = all.flatMap(({ scenario }) => scenario ?? []);
  const states = scenarios.flatMap(({ main }) => providedStates(main.value).map(({ name }) => name));
  return { ...one, problems: pactProblems(one.file, one.pact, scenarios.length === 0 ? undefined : states) };
}
