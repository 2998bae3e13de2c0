import { stringify } from "yaml";
import { inferRegistryFixture } from "../../../scenarios/inference/infer-registry-fixture.ts";
import { namedFile } from "../../programs/files/named-file.ts";
import { exchangesOf } from "../../programs/files/recording.ts";
import { writeWhole } from "../../programs/files/write-whole.ts";
import { exitCodes, UserError } from "../../programs/user-error.ts";
import { fileOf } from "../flags/file-of.ts";
import { checkNew } from "../flags/force-flag.ts";
import type { Environment, Options } from "../options.ts";
import { otherWorldsLine } from "./other-worlds-line.ts";

/** Writes or prints the registry fixture that is inferred from the transfer-factory lookups of a recording. */
export async function importRegistry(file: string, options: Options, environment: Environment): Promise<number> {
  const out = fileOf("out", options);
  if (out !== undefined) checkNew(out, [namedFile(file, options)], options);
  const result = await inferRegistryFixture(exchangesOf(file, environment), options.text("world"));
  if (result.type === "refused") throw new UserError(`${file} ${result.problem}.`);
  for (const what of result.notExpressible) environment.printError(`skipped: ${what}`);
  const skipped = otherWorldsLine(result);
  if (skipped !== undefined) environment.printError(skipped);
  const text = options.flag("json")
    ? `${JSON.stringify(result.fixture)}\n`
    : stringify(result.fixture, { lineWidth: 0 });
  if (out === undefined) environment.print(text.trimEnd());
  else {
    writeWhole(out, text, { isReplacing: options.flag("force") });
    environment.printError(`wrote ${out.name}`);
  }
  return exitCodes.fine;
}
