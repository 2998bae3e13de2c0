import { stringify } from "yaml";
import { inferRegistryFixture } from "../../../scenarios/inference/infer-registry-fixture.ts";
import { fileOf, namedFile } from "../files/named-file.ts";
import { exchangesOf } from "../files/recording.ts";
import { checkNew, forceFlag, writeWhole } from "../files/write-whole.ts";
import type { Command, Environment, Options } from "../options.ts";
import { exitCodes, UserError } from "../user-error.ts";

export const fixture: Command = {
  name: "fixture",
  usage: "fixture RECORDING [--out FILE]",
  flags: [
    { name: "out", type: "string", value: "FILE", help: "write the fixture there instead of printing it" },
    forceFlag,
  ],
  run: runFixture,
};

async function runFixture(options: Options, environment: Environment): Promise<number> {
  const [file, ...others] = options.positionals;
  if (file === undefined || others.length > 0) throw new UserError("fixture takes exactly one recording.");
  const out = fileOf("out", options);
  if (out !== undefined) checkNew(out, [namedFile(file, options)], options);
  const result = await inferRegistryFixture(exchangesOf(file, environment));
  if (result.type === "refused") throw new UserError(`${file} ${result.problem}.`);
  for (const what of result.leftOut) environment.printError(`left out: ${what}`);
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
