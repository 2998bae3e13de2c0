import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Dar, readDar } from "../../daml/archives/dar.ts";
import { typescriptOf } from "../../daml/generation/typescript-of.ts";
import { limitValues } from "../../foundation/limits/limits.ts";
import { type DarFixtures, darFixtures } from "../../scenarios/generation/dar-fixtures.ts";
import { type NamedFile, namedFile } from "../programs/files/named-file.ts";
import { orUnreadable } from "../programs/files/unreadable.ts";
import { writeWhole } from "../programs/files/write-whole.ts";
import { exitCodes, UserError } from "../programs/user-error.ts";
import { checkNew } from "./flags/force-flag.ts";
import type { Environment, Options } from "./options.ts";
import { descriptionPath, outputFolder, relativePath } from "./output-folder.ts";

interface Output {
  readonly name: string;
  readonly text: string;
}

/** Writes the types of DARs, or a fixture with a contract of each template of one. */
export async function generateFromDar(
  kind: "fixtures" | "types",
  names: readonly string[],
  options: Options,
  environment: Environment,
): Promise<number> {
  const command = `understudy generate ${kind}`;
  if (names.length === 0) throw new UserError(`generate ${kind} needs a DAR: ${command} my.dar`);
  if (kind === "fixtures" && names.length > 1)
    throw new UserError(`generate fixtures takes one DAR, not ${names.length}. Write each to a folder of its own.`);
  const unused = ["count", "seed"].find((flag) => options.texts(flag).length > 0);
  if (unused !== undefined) throw new UserError(`--${unused} has no effect with a DAR. Remove it.`);
  const files = names.map((name) => namedFile(name, options));
  const dars = await Promise.all(files.map(readDarFile));
  const folder = outputFolder(options);
  if (kind === "types") {
    write(dars.map(typesFile), folder, files, options, environment);
    return exitCodes.fine;
  }
  const operations = descriptionPath(folder, "additional-operations");
  for (const [index, dar] of dars.entries()) {
    const [path = "", name = ""] = [files[index]?.path, files[index]?.name];
    const sources = { dar: relativePath(folder, path), operations, origin: `${command} ${name}` };
    const fixtures = darFixtures(dar, sources);
    write(fixtures.files, folder, files, options, environment);
    if (!options.flag("json")) environment.print(countLines(fixtures, join(folder.name, "scenario.arazzo.yaml")));
  }
  return exitCodes.fine;
}

async function readDarFile(file: NamedFile): Promise<Dar> {
  const read = readDar(await orUnreadable(file, readFile(file.path)), limitValues());
  if (read.type === "read") return read.dar;
  throw new UserError(
    `${file.name} is not a DAR that can be read: ${read.context["reason"] ?? read.problem} (${read.code}).`,
  );
}

const typesFile = (dar: Dar): Output => ({ name: `${dar.main.package.name}.ts`, text: typescriptOf(dar) });

function write(
  outputs: readonly Output[],
  folder: NamedFile,
  inputs: readonly NamedFile[],
  options: Options,
  environment: Environment,
): void {
  const targets = outputs.map(({ name, text }) => ({ text, file: namedFile(join(folder.name, name), options) }));
  for (const { file } of targets) checkNew(file, inputs, options);
  for (const { file, text } of targets) writeWhole(file, text, { isReplacing: options.flag("force") });
  const written = targets.map(({ file }) => file.name);
  environment.print(
    options.flag("json") ? JSON.stringify({ event: "generated", written }) : `wrote ${written.join(", ")}`,
  );
}

function countLines({ contracts, omitted }: DarFixtures, scenario: string): string {
  return [
    `${contracts} ${contracts === 1 ? "contract" : "contracts"}, one of each template`,
    ...(omitted.length === 0
      ? []
      : [`without a contract, because no value was found: ${omitted.slice(0, 10).join(", ")}`]),
    `understudy serve ${scenario} serves them.`,
  ].join("\n");
}
