import { alternatives } from "../../foundation/text/suggestion.ts";
import { fixtureOfDar } from "./fixtures/dar-fixture.ts";
import { missingFile, type Problem, type ProblemText } from "./problem.ts";
import { readYaml, type SourceResult } from "./read-yaml.ts";

/** Reads files. Names are relative to the file that contains them; the text of a missing file is undefined. */
export interface FileReader {
  read(path: string): string | undefined;
  /** The bytes of a file; undefined for one that is missing. Readers of texts in memory omit it. */
  readBytes?(path: string): Uint8Array | undefined;
  resolve(from: string, relative: string): string;
  /** Why a file may not be read, to be written after its member; undefined if it may, or if the files are texts in memory. */
  refusal?(from: string, relative: string): ProblemText | undefined;
  /** Why a file is not readable, such as `does not exist`; undefined if it is readable. Readers of texts in memory omit it. */
  unreadable?(path: string): string | undefined;
  /** The name, in the folder of a missing file, that resembles it; written like the given name. */
  similar?(name: string): string | undefined;
  /** The path of a file that a name such as `rights` means, where no file has the name. */
  named?(name: string): string | undefined;
  /** Files in a folder that resemble those that are read, for advice. */
  inFolder?(path: string): readonly string[];
}

/** Reads a file that the user names. */
export function readSource(file: string, files: FileReader): SourceResult {
  if (file.endsWith(".dar") && files.unreadable?.(file) === undefined)
    return { type: "read", source: fixtureOfDar(file) };
  const text = files.read(file);
  if (text !== undefined && /\.[cm]?[jt]sx?$/.test(file)) return { type: "invalid", problems: [program(file)] };
  if (text !== undefined) return readYaml(file, text, () => files.read(file) ?? "");
  const named = files.unreadable?.(file) === "does not exist" ? files.named?.(file) : undefined;
  if (named !== undefined) return readSource(named, files);
  return { type: "invalid", problems: [unreadableFile(file, files)] };
}

function program(file: string): Problem {
  const whole = { file, line: undefined, column: undefined };
  return {
    ...whole,
    problem: `${file} is a program, not a scenario or a fixture`,
    advice: "Write those as YAML or JSON. A config file in TypeScript is named with --config, not as an argument.",
  };
}

/** The problem of a file that cannot be read. */
function unreadableFile(file: string, files: FileReader): Problem {
  const whole = { file, line: undefined, column: undefined };
  const reason = files.unreadable?.(file) ?? "does not exist";
  if (reason === "is a folder")
    return {
      ...whole,
      problem: `${file} is a folder`,
      advice: folderAdvice(file, files.inFolder?.(file) ?? []),
    };
  if (reason !== "does not exist") return { ...whole, problem: `${file} ${reason}`, advice: "Check its permissions." };
  return { ...whole, ...missingFile(file, files.similar?.(file)) };
}

/** Advice for a folder where a file is expected. */
export function folderAdvice(folder: string, names: readonly string[]): string {
  if (names.length === 0) return "Name a file in it.";
  const shown = names.slice(0, shownMax).map((name) => `${folder.replace(/[\\/]$/, "")}/${name}`);
  return `Name a file in it${names.length > shownMax ? ", such as" : ":"} ${alternatives(shown)}.`;
}

/** Number of files of a folder that advice names. */
const shownMax = 3;

/** Why a fixture that a scenario names cannot be read. */
export function fixtureRefusal(from: string, name: string, files: FileReader): ProblemText | undefined {
  const refusal = files.refusal?.(from, name);
  if (refusal !== undefined) return { problem: `${name} ${refusal.problem}`, advice: refusal.advice };
  const path = files.resolve(from, name);
  const reason = files.unreadable?.(path);
  if (reason === undefined) return undefined;
  if (reason !== "does not exist") return { problem: `${name} ${reason}`, advice: checkPath };
  const near = files.similar?.(path)?.split(/[\\/]/).at(-1);
  const shown = near === undefined ? undefined : `${name.slice(0, name.lastIndexOf("/") + 1)}${near}`;
  return missingFile(name, shown, checkPath);
}

const checkPath = "Check the path; it is relative to the scenario.";
