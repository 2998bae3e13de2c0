import { diskFiles, packagedFile } from "../../src/entrypoints/library/files.ts";
import { hostScenario } from "../../src/entrypoints/library/host-scenario.ts";
import { Body, emptyBody } from "../../src/foundation/http/body.ts";
import type { Request } from "../../src/foundation/http/request.ts";
import { formatJson, type Json, jsonOf } from "../../src/foundation/json/json.ts";
import { loadScenario } from "../../src/scenarios/files/load-scenario.ts";
import { loopbackAccess } from "../../src/stub/control/access.ts";
import { withControl } from "../../src/stub/control/control.ts";
import type { Hosting } from "../../src/stub/hosting/hosting.ts";
import { Inspection } from "../../src/stub/inspection/inspection.ts";
import { below, garbage, isDrawn, oneOf, type Random } from "./_draw.ts";
import type { FuzzKind } from "./_fuzz-kind.ts";
import { garbageBytes, mutatedBytes } from "./_mutate-bytes.ts";
import { mutatedJson } from "./_mutate-json.ts";
import { targetOf } from "./_target-of.ts";

/** Requests to the control API and to the inspection: bodies, paths, and queries. */
export const KIND: FuzzKind = {
  name: "control",
  open: async () => {
    const scenario = loadScenario(packagedFile("scenarios/onboarding-to-transfer.arazzo.yaml"), diskFiles);
    if (scenario.type === "invalid") throw new Error("invariant: the scenarios of the repository are loaded");
    const hosting = hostScenario(scenario.scenario, {
      wallNowMs: () => 0,
      sleep: async () => {},
      clockMode: { type: "frozen" },
    });
    const inner = withControl(hosting, loopbackAccess);
    const page = new Map();
    const inspection = new Inspection({
      source: hosting,
      access: loopbackAccess,
      page,
      later: () => undefined,
      inner,
    });
    return targetOf({ draw: drawn, check: (request) => check(request, hosting, inspection), show });
  },
};

const contract = "external-party-amulet-rules";
const party = "nina::1220b87657be49f94aaa08f5bcd0e824d5d90ce7ad8de3f1ee532fe2932ef404a34f";

const actions: readonly (readonly [action: string, body: Json])[] = [
  ["fork", { from: "start" }],
  ["fork", { at: 1 }],
  ["fork", { labels: ["team-a", "x.1"], ttl: "PT8H" }],
  ["reset", {}],
  ["clock/advance", { by: "PT30S" }],
  ["reassignments/begin", { contract, to: "synchronizer-b" }],
  ["reassignments/complete", { contract }],
  ["tap", { party, amount: "100.5", instrument: "Amulet" }],
  ["plan", { plan: [{ at: "PT1M", reassign: { contract, to: "synchronizer-b", for: "PT30S" } }] }],
  ["plan", { plan: [{ on: "getV2Users", nth: 2, times: 3, instead: { status: 503, body: {} } }] }],
  ["plan", { plan: [{ on: "getV2Users", match: { query: { a: "b" }, body: { "/a": 1 } }, after: { delay: "PT1S" } }] }],
  [
    "plan",
    {
      plan: [
        { at: "PT1S", deactivateUser: "alice" },
        { at: "PT2S", allocateParty: party },
      ],
    },
  ],
  ["plan", { plan: [{ on: "getTransferFactory", fault: "commit-then-timeout" }] }],
];

const views: readonly string[] = [
  "worlds",
  "worlds/default",
  "worlds/default/journal",
  "worlds/default/traffic?after=0&limit=10",
  "worlds/default/traffic/1",
  "worlds/default/tables",
  "worlds/default/tables/users?at=1&offset=0&limit=10&search=a",
  "worlds/default/timeline",
  "worlds/default/verdict",
  "worlds/default/report",
  "worlds/default/client-rules",
  "limits",
  "tokens",
  "tokens/ci",
  "worlds/default/end-of-test?failed=true&allow=page-tokens-from-pages",
];

function drawn(random: Random): Request {
  const host = isDrawn(random, 0.02) ? garbage(random, 10) : "localhost";
  const headers = [["Host", host] as const];
  if (isDrawn(random, 0.4)) {
    const target = mutatedPath(`/__understudy/${oneOf(random, views)}`, random);
    return { method: isDrawn(random, 0.05) ? "DELETE" : "GET", target, headers, body: emptyBody };
  }
  const [action, body] = oneOf(random, actions);
  const path = `/__understudy/worlds/default/${action}`;
  const target = isDrawn(random, 0.1) ? mutatedPath(path, random) : path;
  return { method: "POST", target, headers, body: new Body(bodyFrom(body, random)) };
}

function mutatedPath(path: string, random: Random): string {
  const at = "/__understudy/".length + below(random, path.length - 10);
  const more = oneOf(random, [
    "/..",
    "%2e%2e",
    "//",
    "%00",
    "?at=-1",
    "&limit=1e9",
    "&after=9007199254740993",
    "__proto__",
    "constructor",
    "=",
  ]);
  return isDrawn(random, 0.6)
    ? `${path.slice(0, at)}${more}${path.slice(at)}`
    : `${path.slice(0, at)}${garbage(random, 6)}`;
}

function bodyFrom(good: Json, random: Random): Uint8Array {
  if (isDrawn(random, 0.03)) return garbageBytes(random, 200);
  const text = new TextEncoder().encode(isDrawn(random, 0.1) ? formatJson(good) : mutatedJson(good, random));
  return isDrawn(random, 0.1) ? mutatedBytes(text, random) : text;
}

const documented: readonly number[] = [200, 201, 308, 400, 401, 403, 404, 405, 409];
const refusalLengthMax = 300_000;

async function check(request: Request, hosting: Hosting, inspection: Inspection): Promise<string | undefined> {
  const before = hosting.worlds.get("default")?.world.state;
  try {
    const response = await inspection.handler(request);
    if (response.type !== "response") return `the response is of the type ${response.type}`;
    if (!documented.includes(response.status)) return `the response is ${response.status}`;
    if (response.status < 400) return usable(hosting);
    if (response.body.size > refusalLengthMax) return "a refusal is very long";
    const isReported = jsonOf(response.body.text()) !== undefined || !request.target.startsWith("/__understudy/");
    if (!isReported) return "a refusal is not JSON";
    return hosting.worlds.get("default")?.world.state === before ? undefined : "a refused request changes the world";
  } finally {
    hosting.worlds.get("default")?.world.reset();
    hosting.worlds.get("default")?.journal.clear();
    for (const id of hosting.worlds.keys()) hosting.remove(id);
  }
}

/** A world whose plan was taken goes on to respond. */
async function usable(hosting: Hosting): Promise<string | undefined> {
  hosting.worlds.get("default")?.world.advanceBy(120_000);
  const headers = [["Authorization", "Bearer any"] as const];
  const requested = ["/v2/users", "/registry/metadata/v1/instruments"];
  for (const target of requested) await hosting.handler({ method: "GET", target, headers, body: emptyBody });
  return undefined;
}

function show({ method, target, headers, body }: Request): string {
  return [`${method} ${target}`, ...headers.map((header) => header.join(": ")), "", body.text()].join("\n");
}
