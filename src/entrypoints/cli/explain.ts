import type { Json } from "../../foundation/json/json.ts";
import { packagedFile } from "../library/files.ts";
import { explained, unknownText } from "../mcp/explained.ts";
import type { ReferenceEntry } from "../mcp/reference-entries.ts";
import { exitCodes, UserError } from "../programs/user-error.ts";
import type { Command, Environment, Options } from "./options.ts";

export const explain: Command = {
  name: "explain",
  usage: "explain ID",
  flags: [],
  arguments: [],
  examples: ["understudy explain page-size", "understudy explain DIV-001"],
  run: runExplain,
};

async function runExplain(options: Options, environment: Environment): Promise<number> {
  const about = options.positionals.join(" ").trim();
  if (about === "")
    throw new UserError(
      "explain needs an id of a rule, probe, known divergence, error code or operation: understudy explain page-size",
    );
  const entries = explained(about);
  const pages = `The pages in ${packagedFile("docs/reference")} list them.`;
  if (entries.length === 0) throw new UserError(`explain: ${unknownText(about, pages, pages)}`);
  const texts = entries.map((entry) => (options.flag("json") ? JSON.stringify(entry) : textOf(entry)));
  environment.print(texts.join(options.flag("json") ? "\n" : "\n\n"));
  return exitCodes.fine;
}

function textOf({ id, kind, summary, page, ...members }: ReferenceEntry): string {
  const [file = "", anchor] = page.split("#");
  const place = `${packagedFile(file)}${anchor === undefined ? "" : `#${anchor}`}`;
  return [
    `${id}: ${kind}`,
    `  ${summary}`,
    ...Object.entries(members).flatMap(([name, value]) => lines(worded(name), value)),
    ...lines("page", place),
  ].join("\n");
}

/** A member with its value; nothing without one. */
function lines(name: string, value: Json | undefined): readonly string[] {
  if (value === undefined || value === null || value === "") return [];
  if (!Array.isArray(value)) return [`  ${name}: ${String(value)}`];
  return value.length === 0 ? [] : [`  ${name}:`, ...value.map((item) => `    ${String(item)}`)];
}

function worded(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
