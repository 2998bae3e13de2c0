import { Body } from "../../src/foundation/http/body.ts";
import type { Request } from "../../src/foundation/http/request.ts";
import { impliedRegistryProfile } from "../../src/foundation/spec/spec.ts";
import type { FileReader } from "../../src/scenarios/files/file-reader.ts";
import type { Scenario, ScenarioResult } from "../../src/scenarios/files/load-scenario.ts";
import { formatProblem, type Problem } from "../../src/scenarios/files/problem.ts";
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

const problemLengthMax = 4500;
const problemsMax = 1000;

/** The defect of a list of problems; undefined if it is fine. Each problem has a file, a line and advice. */
export function problemsProblem(
  problems: readonly Problem[],
  texts: Readonly<Record<string, string>>,
): string | undefined {
  if (problems.length === 0) return "it is invalid without a problem";
  if (problems.length > problemsMax) return `there are more than ${problemsMax} problems`;
  for (const found of problems) {
    const problem = problemProblem(found, texts);
    if (problem !== undefined) return `${problem}\n${JSON.stringify(found).slice(0, 3000)}`;
  }
  return undefined;
}

function problemProblem(found: Problem, texts: Readonly<Record<string, string>>): string | undefined {
  const { file, line, column, problem, advice, excerpt = [] } = found;
  const text = Object.hasOwn(texts, file) ? (texts[file] ?? "") : "";
  const lines = text.split(/\r\n|\r|\n/).length;
  if (line === undefined && !problem.includes(file)) return "a problem has neither a line nor the name of its file";
  if (line !== undefined && (!Number.isInteger(line) || line < 1 || line > lines))
    return "a problem has a line outside its file";
  if ((line === undefined) !== (column === undefined) || (column !== undefined && !(column >= 1)))
    return "a problem has a line without a column, or no valid column";
  if (problem === "" || advice === "") return "a problem has no text or no advice";
  const shown = [formatProblem({ ...found, excerpt: [] }), ...excerpt].join("");
  if (shown.length > problemLengthMax) return `a problem has more than ${problemLengthMax} characters`;
  if (/[\p{Cc}\p{Cf}\p{Cs}]/u.test(shown)) return "a problem has control characters";
  return undefined;
}

const requested: readonly Request[] = [
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
  return { method, target, headers, body: new Body(text) };
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

/** Number of worlds after which stubs are created anew, so that what they store about removed worlds does not count as a leak. */
const worldsMax = 500;

/** Creates the factory of stubs of a profile; the schemas are compiled once for many inputs. */
export function stubsByProfile(): (ledger: string) => Stubs {
  const known = new Map<string, Stubs>();
  let worlds = 0;
  return (ledger) => {
    worlds += 1;
    if (worlds % worldsMax === 0) known.clear();
    const profile = { ledger, registry: impliedRegistryProfile(ledger) };
    const spec = () => stubSpec(profile, { hasAdditionalOperations: true });
    const stubs = known.get(ledger) ?? createStubs({ spec: spec(), auth: "bearer", areSignaturesVerified: false });
    known.set(ledger, stubs);
    return stubs;
  };
}

const hourMs = 3_600_000;

/** The defect of a loaded world: it has to respond to every request, now and an hour later. */
function worldProblem({ initial, profile }: Scenario, stubsOf: (ledger: string) => Stubs): string | undefined {
  const world = new World(initial, { type: "frozen" }, () => 0);
  const stub = stubsOf(profile)(world);
  const isPlanned = initial.plan.responses.length > 0;
  for (const one of requested) {
    const { response } = stub(one);
    if (response.type === "response" && response.status >= 500 && !isPlanned)
      return `a loaded world responds to ${one.method} ${one.target.split("?")[0]} with ${response.status}\n${response.body.text()}`;
    if (world.state.nowMs + hourMs < virtualTimeMsMax) world.advanceBy(hourMs);
  }
  return undefined;
}

/** The defect of a loaded scenario or of its world. */
export function loadProblem(
  result: ScenarioResult,
  texts: Readonly<Record<string, string>>,
  stubsOf: (ledger: string) => Stubs,
): string | undefined {
  return result.type === "invalid" ? problemsProblem(result.problems, texts) : worldProblem(result.scenario, stubsOf);
}
