// Plays scenarios of the package in profile `spec`, and writes what they send and receive as examples of the contracts.
import { fileURLToPath } from "node:url";
import { stringify } from "yaml";
import { diskFiles } from "../src/entrypoints/library/files.ts";
import { hostScenario } from "../src/entrypoints/library/host-scenario.ts";
import { emptyBody } from "../src/foundation/http/body.ts";
import type { Exchange } from "../src/foundation/http/exchange.ts";
import { type Json, jsonOf } from "../src/foundation/json/json.ts";
import { loadSpec } from "../src/foundation/spec/spec.ts";
import { loadScenario, type Scenario } from "../src/scenarios/files/load-scenario.ts";
import { runScenario } from "../src/scenarios/files/run-scenario.ts";
import { asLoopback, loopbackAccess } from "../src/stub/control/access.ts";
import { withControl } from "../src/stub/control/control.ts";

/** An example: its name in the contract, and the step of a scenario with the half of its exchange. */
type Source = readonly [name: string, scenario: string, step: string, half: "request" | "response" | "path"];

/** The examples of each contract. A `path` is the last value of the path, such as the id of a user. */
const sources: Readonly<Record<"ledger" | "registry", readonly Source[]>> = {
  ledger: [
    ["ExecuteRequest", "execute-and-wait", "execute", "request"],
    ["ExecuteResponse", "execute-and-wait", "execute", "response"],
    ["UserId", "update-user", "activate", "path"],
    ["UpdateUserRequest", "update-user", "activate", "request"],
    ["UpdateUserResponse", "update-user", "activate", "response"],
    ["AllocateRequest", "allocate-external-party", "allocate", "request"],
    ["AllocateResponse", "allocate-external-party", "allocate", "response"],
    ["GrantRequest", "rights", "first", "request"],
    ["GrantResponse", "rights", "first", "response"],
    ["PackageId", "package-status", "known", "path"],
    ["PackageStatusResponse", "package-status", "known", "response"],
    ["UsersResponse", "quickstart", "all-users", "response"],
    ["IdentityProvidersResponse", "identity-providers", "list", "response"],
    ["VettingRequest", "vetting", "vet", "request"],
    ["VettingResponse", "vetting", "vet", "response"],
    ["InvalidArgument", "text-plain-400", "ill-typed-body", "response"],
    ["CannotAutodetectSynchronizer", "autodetect-synchronizer", "two", "response"],
    ["TokenMissing", "quickstart", "no-token", "response"],
    ["UserNotFound", "user-errors", "unknown-user", "response"],
    ["DuplicateCommand", "execute-and-wait", "again", "response"],
  ],
  registry: [
    ["OfferRequest", "transfer-kinds", "offer", "request"],
    ["OfferResponse", "transfer-kinds", "offer", "response"],
    ["DirectResponse", "transfer-kinds", "direct", "response"],
    ["SelfResponse", "transfer-kinds", "self", "response"],
    ["BadRequest", "registry-errors", "no-amount", "response"],
    ["NotFound", "registry-errors", "unknown-instrument", "response"],
    ["ReassignmentInProgress", "reassignment-by-steps", "during", "response"],
  ],
};

const profile = { ledger: "spec", registry: "spec" } as const;
const head = "  # Played by `npm run generate` from scenarios/ and fixtures/. Do not edit from here on.\n  examples:\n";

/** The text of a contract with its examples made current. They are the end of the file. */
export async function withExamples(api: keyof typeof sources, text: string): Promise<string> {
  const played = new Map<string, Played>();
  const examples: Record<string, object> = {};
  for (const [name, file, step, half] of sources[api]) {
    const before = played.get(file) ?? (await play(file));
    played.set(file, before);
    const exchange = before.get(step);
    if (exchange === undefined) throw new Error(`scenarios/${file}.arazzo.yaml has no step ${step}`);
    examples[name] = { value: exampleOf(exchange, half) };
  }
  const lines = stringify(examples, { lineWidth: 0, version: "1.1" }).replaceAll(/^(?=.)/gm, "    ");
  return `${text.slice(0, text.includes(head) ? text.indexOf(head) : text.length)}${head}${lines}`;
}

/** The exchanges of a scenario by the id of their step, and of requests that follow them. */
type Played = ReadonlyMap<string, Exchange>;

/** The last page of users, so that a client that reads all pages ends; and a request without a token. */
const further = {
  "all-users": [["Authorization", "Bearer any"]],
  "no-token": [],
} as const;

async function play(name: string): Promise<Played> {
  const scenario = loaded(name);
  const hosting = hostScenario(scenario, { profile, clockMode: { type: "frozen" }, wallNowMs: () => 0 });
  const handler = asLoopback(withControl(hosting, loopbackAccess));
  const steps = await runScenario(scenario, { handler, hasControl: true, nowMs: () => 0 });
  const exchanges = new Map(
    steps.flatMap(({ stepId, outcome, exchange }) =>
      outcome === "passed" && exchange !== undefined ? [[stepId, exchange]] : [],
    ),
  );
  for (const [id, headers] of Object.entries(further)) {
    const request = { method: "GET", target: "/v2/users", headers, body: emptyBody };
    const response = await handler(request);
    exchanges.set(id, { startedAt: "1970-01-01T00:00:00Z", durationMs: 0, request, response });
  }
  return exchanges;
}

function loaded(name: string): Scenario {
  const file = fileURLToPath(new URL(`../scenarios/${name}.arazzo.yaml`, import.meta.url));
  const result = loadScenario(file, diskFiles, { profile: "spec" });
  if (result.type === "invalid") throw new Error(JSON.stringify(result.problems));
  return result.scenario;
}

function exampleOf({ request, response }: Exchange, half: Source[3]): Json {
  if (half === "path") return lastValueOf(request.method, request.target);
  const message = half === "request" ? request : response;
  if ("type" in message && message.type !== "response") throw new Error("invariant: the response is complete");
  const text = message.body.text();
  return jsonOf(text) ?? text;
}

/** The last value in a path, decoded. */
function lastValueOf(method: string, target: string): string {
  const route = loadSpec(profile).route(method, target);
  if (route.type !== "found") throw new Error(`${method} ${target} is not an operation`);
  return Object.values(route.pathParameters).at(-1) ?? "";
}
