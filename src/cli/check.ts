import { judge, type Level } from "../conformance/judge.ts";
import { renderTerminal } from "../conformance/reporters/terminal.ts";
import { Verdict } from "../conformance/verdict.ts";
import { loadSpec, newestProfileOf } from "../spec/spec.ts";
import type { Command, Environment, Options } from "./options.ts";
import { readExchanges } from "./recording.ts";
import { profileOf } from "./serve.ts";
import { exitCodes, UserError } from "./user-error.ts";
import { writeBigint } from "./write-bigint.ts";

export const check: Command = {
  name: "check",
  usage: "check HAR… [flags]",
  summary: "Judges recorded exchanges against the contract: PASS, KNOWN DIV-…, FAIL.",
  flags: [
    { name: "profile", type: "string", value: "NAME", help: "release to expect (default: the newest)" },
    {
      name: "registry-profile",
      type: "string",
      value: "NAME",
      help: "release of the registry (default: what the profile implies)",
    },
    { name: "neighbours", type: "boolean", help: "judge the operations outside the document too" },
    {
      name: "level",
      type: "string",
      value: "LEVEL",
      help: "release (default: known divergences do not fail) or document",
    },
  ],
  run: runCheck,
};

async function runCheck(options: Options, environment: Environment): Promise<number> {
  if (options.positionals.length === 0) throw new UserError("check needs at least one HAR file.");
  const level = levelOf(options.text("level") ?? "release");
  const profile = profileOf(options, newestProfileOf("ledger"));
  const spec = loadSpec(profile, { hasNeighbours: options.flag("neighbours") });
  const verdict = new Verdict(spec);
  const exchanges = options.positionals.flatMap(readExchanges);
  for (const exchange of exchanges) verdict.add(judge(spec, level, exchange));
  const summary = verdict.summary();
  if (summary.exchanges - summary.outside === 0)
    throw new UserError("There is nothing to judge: no exchange is of an operation of the document.");
  environment.print(
    options.flag("json")
      ? JSON.stringify({ event: "verdict", ...summary }, writeBigint)
      : renderTerminal(summary, environment.isColoured),
  );
  return summary.failed + summary.broken > 0 ? exitCodes.findings : exitCodes.fine;
}

export function levelOf(text: string): Level {
  if (text === "document" || text === "release") return text;
  throw new UserError(`--level ${text} is not known. Use document or release.`);
}
