import { stringify } from "yaml";
import type { Exchange } from "../http/exchange.ts";
import { inferRegistryFixture } from "../recording/infer-registry-fixture.ts";
import type { Command, Environment, Options } from "./options.ts";
import { explained, openRecording } from "./recording.ts";
import { exitCodes, UserError } from "./user-error.ts";
import { checkWritable, writeWhole } from "./write-whole.ts";

export const fixture: Command = {
  name: "fixture",
  usage: "fixture RECORDING [--out FILE]",
  summary: "Makes a registry fixture from a recorded transfer-factory lookup (HAR, or one noted exchange).",
  flags: [{ name: "out", type: "string", value: "FILE", help: "write the fixture there instead of printing it" }],
  run: runFixture,
};

async function runFixture(options: Options, environment: Environment): Promise<number> {
  const [file, ...others] = options.positionals;
  if (file === undefined || others.length > 0) throw new UserError("fixture takes exactly one recording.");
  const out = options.text("out");
  if (out !== undefined) checkWritable(out, [file]);
  const lookup = await firstLookup(file);
  if (lookup === undefined) throw new UserError(`${file} holds no transfer-factory lookup that was answered with 200.`);
  const result = inferRegistryFixture(lookup);
  if (result.type === "refused") throw new UserError(`${file} makes no fixture: ${result.problem}.`);
  for (const what of result.leftOut) environment.printError(`left out: ${what}`);
  const text = options.flag("json")
    ? `${JSON.stringify(result.fixture)}\n`
    : stringify(result.fixture, { lineWidth: 0 });
  if (out === undefined) environment.print(text.trimEnd());
  else {
    writeWhole(out, text);
    environment.printError(`wrote ${out}`);
  }
  return exitCodes.fine;
}

/** What comes after it is not read. */
async function firstLookup(file: string): Promise<Exchange | undefined> {
  for await (const item of openRecording(file)) {
    if (item.type === "mistaken") throw new UserError(explained(file, item));
    if (isSuccessfulLookup(item.exchange)) return item.exchange;
  }
  return undefined;
}

function isSuccessfulLookup({ request, answer }: Exchange): boolean {
  const isLookup = /\/registry\/transfer-instruction\/v2\/transfer-factory(?:\?|$)/.test(request.target);
  return isLookup && answer.type === "response" && answer.status === 200;
}
