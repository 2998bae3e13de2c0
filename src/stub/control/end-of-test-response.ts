import { type Response, textResponse } from "../../foundation/http/response.ts";
import { withWarning } from "../../foundation/http/with-reason.ts";
import { shortened } from "../../foundation/text/shortened.ts";
import { advise } from "../../foundation/text/suggestion.ts";
import { unusedResponses } from "../../simulator/world/world-state.ts";
import type { HostedWorld } from "../hosting/hosted-world.ts";
import { problem } from "./control-problem.ts";
import { type EndOfTestOptions, endOfTest, endOptionsOf, type TestedWorld, textOf, warningsOf } from "./end-of-test.ts";

/** Headers with a warning; many clients limit the headers of a response to 8 KB. */
const warningsMax = 5;

const names: readonly string[] = ["allow", "allowUnused", "clientRules", "failed", "onUnexpected"];

/**
 * The text that fails a test with this world, as the adapters of test frameworks print it: problems and timeline. It is empty
 * if there are no problems. Each header `Understudy-Warning` has what a test that passes would hide. With `failed=true`, for a test that failed by itself, the timeline is there in any case.
 */
export function endOfTestResponse(hosted: HostedWorld, query: URLSearchParams): Response {
  const read = readOptions(query);
  if (typeof read === "string") return problem(400, read);
  if (hosted.clientRules === undefined && read.options.clientRules !== "ignore")
    return problem(404, "Client rules are off. Start serve without --no-client-rules, or add clientRules=ignore.");
  const world = tested(hosted);
  const ended = endOfTest(world, read.options);
  const text = read.hasFailed || ended.problems !== undefined ? textOf(ended) : "";
  const response = textResponse(200, "text/plain; charset=utf-8", text);
  return warningsOf(world, read.options).slice(0, warningsMax).reduce(withWarning, response);
}

interface ReadOptions {
  readonly hasFailed: boolean;
  readonly options: Required<EndOfTestOptions>;
}

/** The options of a query, or the problem with them. */
function readOptions(query: URLSearchParams): ReadOptions | string {
  const unknown = [...query.keys()].find((name) => !names.includes(name));
  if (unknown !== undefined) return `unknown option ${shortened(JSON.stringify(unknown))}. ${advise(unknown, names)}`;
  try {
    const options = endOptionsOf({
      onUnexpected: query.get("onUnexpected") ?? undefined,
      clientRules: query.get("clientRules") ?? undefined,
      allow: query.getAll("allow"),
      allowUnused: booleanIn(query, "allowUnused"),
    });
    return { hasFailed: booleanIn(query, "failed"), options };
  } catch (error) {
    if (error instanceof RangeError) return error.message;
    throw error;
  }
}

function booleanIn(query: URLSearchParams, name: string): boolean {
  const text = query.get(name) ?? "false";
  if (text !== "true" && text !== "false")
    throw new RangeError(`option ${name}: ${shortened(JSON.stringify(text))} is not a boolean. Use true or false.`);
  return text === "true";
}

/** Findings count exchanges from the first that this process served; the journal may have dropped that. */
function tested({ world, journal, clientRules }: HostedWorld): TestedWorld {
  const findings = clientRules?.report().findings ?? [];
  const first = journal.exchanges.length - (journal.last - journal.restored);
  return {
    isClosed: false,
    journal: journal.exchanges,
    clientFindings: () => findings.map((each) => ({ ...each, exchange: each.exchange + first })),
    unusedResponses: () => unusedResponses(world.whole),
  };
}
