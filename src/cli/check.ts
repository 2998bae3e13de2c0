import type { Level } from "../conformance/judge.ts";
import { checkRecordings, recordingFlags } from "./check-recordings.ts";
import { checkReportFlags, finish, reportFlags } from "./finish-check.ts";
import type { Command, Environment, Options } from "./options.ts";
import { UserError } from "./user-error.ts";

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
    ...recordingFlags,
    ...reportFlags,
  ],
  run: runCheck,
};

async function runCheck(options: Options, environment: Environment): Promise<number> {
  if (options.positionals.length === 0) throw new UserError("check needs at least one HAR file.");
  const level = levelOf(options.text("level") ?? "release");
  checkReportFlags(options);
  return finish(await checkRecordings(level, options, environment), options, environment);
}

export function levelOf(text: string): Level {
  if (text === "document" || text === "release") return text;
  throw new UserError(`--level ${text} is not known. Use document or release.`);
}
