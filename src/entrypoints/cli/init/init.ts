import { oneOf } from "../../programs/one-of.ts";
import { exitCodes, UserError } from "../../programs/user-error.ts";
import { booleanFlag, type Command, choiceFlag, type Environment, type Options } from "../options.ts";
import { type InitPlan, planOf } from "./plan.ts";
import { type Framework, frameworks, type Project, readProject } from "./project.ts";
import { checkFiles, writeFiles } from "./write-files.ts";

export const init: Command = {
  name: "init",
  usage: "init [flags]",
  flags: [
    choiceFlag(
      "framework",
      "NAME",
      frameworks,
      `test framework: ${frameworks.join(", ")} (default: the one that the project uses)`,
    ),
    { ...booleanFlag("yes", "do not ask; without a terminal init never asks"), short: "y" },
    booleanFlag("dry-run", "show what would be written, and write nothing"),
  ],
  examples: ["understudy init --dry-run", "understudy init --framework vitest --yes"],
  run: runInit,
};

async function runInit(options: Options, environment: Environment): Promise<number> {
  const [word] = options.positionals;
  if (word !== undefined)
    throw new UserError(`init takes flags only, not ${JSON.stringify(word)}. Run it in the folder of your project.`);
  const project = readProject(options.folder);
  const framework = frameworkOf(project, options);
  const plan = planOf(project, framework);
  const changes = plan.files.filter(({ action }) => action !== "keep");
  checkFiles(changes);
  if (options.flag("json")) {
    if (!options.flag("dry-run")) writeFiles(changes);
    printJson(project, framework, plan, options, environment);
    return exitCodes.fine;
  }
  environment.print(
    [foundLine(project, framework, options.text("framework") !== undefined), ...planLines(plan)].join("\n"),
  );
  if (changes.length === 0) environment.print("Nothing to do: the files exist, and are kept.");
  else if (options.flag("dry-run")) environment.print("Nothing was written, because of --dry-run.");
  else if (!(await isAgreed(options, environment))) environment.print("Nothing was written.");
  else {
    writeFiles(changes);
    environment.print(["Done. Next:", ...plan.next.map((line) => `  ${line}`)].join("\n"));
  }
  return exitCodes.fine;
}

/** The framework of `--framework`, or the one that the project uses. */
function frameworkOf(project: Project, options: Options): Framework {
  const named = options.text("framework");
  if (named !== undefined) return oneOf("--framework", named, frameworks);
  return project.frameworks[0]?.value ?? "node-test";
}

function foundLine({ frameworks: found, language }: Project, framework: Framework, isNamed: boolean): string {
  const languageText = `${language.value} (${language.place})`;
  const chosen = found.find(({ value }) => value === framework);
  const others = found.filter(({ value }) => value !== framework).map(({ value }) => value);
  const name = framework === "node-test" ? "node:test" : framework;
  const more = others.length === 0 || isNamed ? "" : ` Also found: ${others.join(", ")}; --framework chooses another.`;
  if (found.length === 0 && framework === "node-test")
    return `Found no test framework, so the test uses node:test, which is a part of Node. Language: ${languageText}.`;
  return chosen === undefined
    ? `The test uses ${name}. Language: ${languageText}.${more}`
    : `Found ${name} (${chosen.place}) and ${languageText}.${more}`;
}

function planLines({ files, notes }: InitPlan): readonly string[] {
  const width = Math.max(...files.map(({ file }) => file.name.length));
  return [
    ...files.map(({ file, action, purpose }) => `  ${action.padEnd(6)}  ${file.name.padEnd(width)}  ${purpose}`),
    ...notes,
  ];
}

/** Whether the user agrees to the plan. On a terminal a question is asked; `--yes` answers it. */
async function isAgreed(options: Options, environment: Environment): Promise<boolean> {
  if (options.flag("yes") || !environment.isTerminal) return true;
  environment.print("Write these files? (Y/n)");
  for await (const chunk of environment.input) return /^\s*(?:y(?:es)?)?\s*\n/i.test(Buffer.from(chunk).toString());
  return false;
}

function printJson(
  { language }: Project,
  framework: Framework,
  { files, notes, next }: InitPlan,
  options: Options,
  environment: Environment,
): void {
  environment.print(
    JSON.stringify({
      event: "init",
      framework,
      language: language.value,
      isDryRun: options.flag("dry-run"),
      files: files.map(({ file, action }) => ({ file: file.name, action })),
      notes,
      next,
    }),
  );
}
