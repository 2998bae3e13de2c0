import { withControl } from "../../src/control/control.ts";
import type { Request } from "../../src/http/request.ts";
import { hostScenario } from "../../src/library/host-scenario.ts";
import type { FileReader, Scenario, ScenarioResult } from "../../src/scenario/load-scenario.ts";
import { formatMistake, type Mistake } from "../../src/scenario/mistake.ts";

/** Files that are texts; names are not resolved. */
export function filesOf(texts: Readonly<Record<string, string>>): FileReader {
  return {
    read: (path) => (Object.hasOwn(texts, path) ? texts[path] : undefined),
    resolve: (_, path) => path,
  };
}

const mistakeLengthMax = 2000;
const mistakesMax = 1000;

/** What is wrong with how mistakes are told; each has a file, a line of it, and something to do. */
export function mistakesProblem(
  mistakes: readonly Mistake[],
  texts: Readonly<Record<string, string>>,
): string | undefined {
  if (mistakes.length === 0) return "it is mistaken without a mistake";
  if (mistakes.length > mistakesMax) return `there are more than ${mistakesMax} mistakes`;
  for (const mistake of mistakes) {
    const problem = mistakeProblem(mistake, texts);
    if (problem !== undefined) return `${problem}\n${JSON.stringify(mistake).slice(0, 3000)}`;
  }
  return undefined;
}

function mistakeProblem(mistake: Mistake, texts: Readonly<Record<string, string>>): string | undefined {
  const { file, line, problem, advice } = mistake;
  const lines = (texts[file] ?? "").split(/\r\n|\r|\n/).length;
  if (!Number.isInteger(line) || line < 1 || line > lines) return "a mistake is at a line that its file does not have";
  if (problem === "" || advice === "") return "a mistake says nothing, or nothing to do";
  const text = formatMistake(mistake);
  if (text.length > mistakeLengthMax) return `a mistake has more than ${mistakeLengthMax} characters`;
  if (/[\p{Cc}\p{Cf}\p{Cs}]/u.test(text)) return "a mistake has characters that drive a terminal";
  return undefined;
}

const asked: readonly Request[] = [
  request("GET", "/v2/users?pageSize=2"),
  request("GET", "/v2/idps"),
  request("GET", "/v2/parties"),
  request("GET", "/registry/metadata/v1/info"),
  request("GET", "/registry/metadata/v1/instruments"),
  request("POST", "/v2/package-vetting", { changes: [] }),
  request("POST", "/v2/users/alice/rights", {
    userId: "alice",
    rights: [{ kind: { ParticipantAdmin: { value: {} } } }],
  }),
  request("POST", "/registry/transfer-instruction/v1/transfer-factory", lookup()),
  request("POST", "/__understudy/worlds/default/clock/advance", { by: "PT1H" }),
  request("GET", "/__understudy/worlds"),
];

function request(method: string, target: string, body?: object): Request {
  const text = body === undefined ? "" : JSON.stringify(body);
  const headers = [
    ["Host", "localhost"],
    ["Authorization", "Bearer any"],
    ["Content-Type", "application/json"],
  ] as const;
  return { method, target, headers, body: new TextEncoder().encode(text) };
}

function lookup(): object {
  const party = "alice::1220ab";
  const transfer = {
    sender: party,
    receiver: party,
    amount: "1.0",
    instrumentId: { admin: "DSO::1220ab", id: "Amulet" },
    requestedAt: "2026-01-01T00:00:00Z",
    executeBefore: "2026-01-02T00:00:00Z",
    inputHoldingCids: [],
    meta: { values: {} },
  };
  const choiceArguments = {
    transfer,
    expectedAdmin: "DSO::1220ab",
    extraArgs: { context: { values: {} }, meta: { values: {} } },
  };
  return { choiceArguments, excludeDebugFields: true };
}

/** What is wrong with a world that was loaded: it answers whatever it is asked. */
export async function worldProblem(scenario: Scenario): Promise<string | undefined> {
  const handler = withControl(
    hostScenario(scenario, { wallNowMs: () => 0, sleep: async () => {}, clockMode: { type: "frozen" } }),
    new Set(["localhost"]),
  );
  for (const one of asked) {
    const answer = await handler(one);
    if (answer.type === "response" && answer.status >= 500 && scenario.initial.plan.answers.length === 0)
      return `a loaded world answers ${one.method} ${one.target.split("?")[0]} with ${answer.status}\n${new TextDecoder().decode(answer.body)}`;
  }
  return undefined;
}

/** What is wrong with how a scenario was loaded, or with the world that it gives. */
export async function loadProblem(
  result: ScenarioResult,
  texts: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  return result.type === "mistaken" ? mistakesProblem(result.mistakes, texts) : worldProblem(result.scenario);
}
