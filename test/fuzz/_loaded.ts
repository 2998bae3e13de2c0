import type { Request } from "../../src/foundation/http/request.ts";
import { impliedRegistryProfile } from "../../src/foundation/spec/spec.ts";
import type { FileReader, Scenario, ScenarioResult } from "../../src/scenarios/files/load-scenario.ts";
import { formatMistake, type Mistake } from "../../src/scenarios/files/problem.ts";
import { World } from "../../src/simulator/world/world.ts";
import { virtualTimeMsMax } from "../../src/simulator/world/world-state.ts";
import { createStubs, stubSpec } from "../../src/stub/pipeline/stub.ts";

/** Files that are texts; names are not resolved. */
export function filesOf(texts: Readonly<Record<string, string>>): FileReader {
  return {
    read: (path) => (Object.hasOwn(texts, path) ? texts[path] : undefined),
    resolve: (_, path) => path,
  };
}

const mistakeLengthMax = 4500;
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
  const text = Object.hasOwn(texts, file) ? (texts[file] ?? "") : "";
  const lines = text.split(/\r\n|\r|\n/).length;
  if (!Number.isInteger(line) || line < 1 || line > lines) return "a mistake is at a line that its file does not have";
  if (problem === "" || advice === "") return "a mistake says nothing, or nothing to do";
  const shown = formatMistake(mistake);
  if (shown.length > mistakeLengthMax) return `a mistake has more than ${mistakeLengthMax} characters`;
  if (/[\p{Cc}\p{Cf}\p{Cs}]/u.test(shown)) return "a mistake has characters that drive a terminal";
  return undefined;
}

const asked: readonly Request[] = [
  request("GET", "/v2/users?pageSize=2"),
  request("GET", "/v2/idps"),
  request("GET", "/registry/metadata/v1/instruments"),
  request("POST", "/v2/package-vetting", { changes: [] }),
  request("POST", "/v2/users/alice/rights", { userId: "alice", rights: [] }),
  request("POST", "/registry/transfer-instruction/v1/transfer-factory", lookup()),
];

function request(method: string, target: string, body?: object): Request {
  const text = body === undefined ? "" : JSON.stringify(body);
  const headers = [["Authorization", "Bearer any"] as const, ["Content-Type", "application/json"] as const];
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
  const extraArgs = { context: { values: {} }, meta: { values: {} } };
  return { choiceArguments: { transfer, expectedAdmin: "DSO::1220ab", extraArgs }, excludeDebugFields: true };
}

type Stubs = ReturnType<typeof createStubs>;

/** Worlds after which stubs are made anew: what they remember of worlds that are gone is bounded, and more than is measured here. */
const worldsMax = 500;

/** Gives what makes stubs of a profile; the schemas are compiled once for many inputs. */
export function stubsByProfile(): (ledger: string) => Stubs {
  const known = new Map<string, Stubs>();
  let worlds = 0;
  return (ledger) => {
    worlds += 1;
    if (worlds % worldsMax === 0) known.clear();
    const profile = { ledger, registry: impliedRegistryProfile(ledger) };
    const spec = () => stubSpec(profile, { hasNeighbours: true });
    const stubs =
      known.get(ledger) ?? createStubs({ spec: spec(), authentication: "bearer", areSignaturesVerified: false });
    known.set(ledger, stubs);
    return stubs;
  };
}

const hourMs = 3_600_000;

/** What is wrong with a world that was loaded: it answers whatever it is asked, now and an hour later. */
function worldProblem({ initial, profile }: Scenario, stubsOf: (ledger: string) => Stubs): string | undefined {
  const world = new World(initial, { type: "frozen" }, () => 0);
  const stub = stubsOf(profile)(world);
  const isPlanned = initial.plan.answers.length > 0;
  for (const one of asked) {
    const { answer } = stub(one);
    if (answer.type === "response" && answer.status >= 500 && !isPlanned)
      return `a loaded world answers ${one.method} ${one.target.split("?")[0]} with ${answer.status}\n${answer.text}`;
    if (world.state.nowMs + hourMs < virtualTimeMsMax) world.advanceBy(hourMs);
  }
  return undefined;
}

/** What is wrong with how a scenario was loaded, or with the world that it gives. */
export function loadProblem(
  result: ScenarioResult,
  texts: Readonly<Record<string, string>>,
  stubsOf: (ledger: string) => Stubs,
): string | undefined {
  return result.type === "mistaken" ? mistakesProblem(result.mistakes, texts) : worldProblem(result.scenario, stubsOf);
}
