import { diskFiles, packagedFile } from "../../src/entrypoints/library/files.ts";
import { hostScenario } from "../../src/entrypoints/library/host-scenario.ts";
import { sha256OfText } from "../../src/foundation/crypto/sha256.ts";
import { Body, emptyBody } from "../../src/foundation/http/body.ts";
import type { ServedHandler } from "../../src/foundation/http/handler.ts";
import type { Request } from "../../src/foundation/http/request.ts";
import { formatJson, isJsonObject, type Json, jsonOf } from "../../src/foundation/json/json.ts";
import { loadScenario } from "../../src/scenarios/files/load-scenario.ts";
import type { WorldState } from "../../src/simulator/world/world-state.ts";
import { loopbackAccess } from "../../src/stub/control/access.ts";
import { withControl } from "../../src/stub/control/control.ts";
import type { Hosting } from "../../src/stub/hosting/hosting.ts";
import { Inspection } from "../../src/stub/inspection/inspection.ts";
import { entriesOfJson, withEntries } from "../../src/stub/stores/difference.ts";
import { partsOf } from "../../src/stub/stores/snapshot-parts.ts";
import { storedValue } from "../../src/stub/stores/stored-value.ts";
import { archiveOf } from "../../src/stub/stores/world-archive.ts";
import { below, isDrawn, oneOf, type Random } from "./_draw.ts";
import type { FuzzKind } from "./_fuzz-kind.ts";
import { mutatedBytes } from "./_mutate-bytes.ts";
import { mutatedJson } from "./_mutate-json.ts";
import { type Played, playedIn } from "./_played.ts";
import { targetOf } from "./_target-of.ts";

/** Time that an archive may take, in milliseconds of the processor. */
const msMax = 250;

/** Archives of worlds with the right digest. A world that is accepted responds, is exported, and is restored from a store. */
export const KIND: FuzzKind = {
  name: "archive",
  open: async () => {
    const all = await playedIn("canton-3.5");
    const operations = [...Map.groupBy(all, ({ operationId }) => operationId).values()];
    const bases = [...all.map(({ before }) => before), ...plannedStates()];
    const target = targetOf({
      draw: (random) => drawn(bases, operations, random),
      check: async (input) => check(input),
      show: ({ archive, requests }) =>
        [...requests.map(({ method, target: path }) => `${method} ${path}`), archive].join("\n"),
    });
    return { ...target, msMax: 4 * msMax };
  },
};

const scenarios = ["reassignment-by-time", "network-faults", "two-participants", "commit-then-timeout"];

function plannedStates(): readonly WorldState[] {
  return scenarios.map((name) => initialOf(name));
}

function initialOf(name: string): WorldState {
  const loaded = loadScenario(packagedFile(`scenarios/${name}.arazzo.yaml`), diskFiles, { profile: "canton-3.5" });
  if (loaded.type === "invalid") throw new Error(`invariant: the scenario ${name} is valid`);
  return loaded.scenario.initial;
}

interface Input {
  readonly archive: string;
  readonly requests: readonly Request[];
}

/** Requests of other worlds that are sent to an imported one. */
const requestsMax = 10;

function drawn(bases: readonly WorldState[], operations: readonly (readonly Played[])[], random: Random): Input {
  const [state, start] = [oneOf(random, bases), oneOf(random, bases)];
  const archived = { id: "fork-1", labels: ["team"], start: isDrawn(random, 0.3) ? start : state, state };
  const requests = Array.from({ length: requestsMax }, () => oneOf(random, oneOf(random, operations)).request);
  return { archive: mutatedArchive(archiveOf(archived, "fuzz", "2026-01-01T00:00:00Z"), random), requests };
}

/** The archive with changes in one to three of its lines, and its digest. */
function mutatedArchive(text: string, random: Random): string {
  const [header = "", ...lines] = text.trimEnd().split("\n");
  for (let count = 1 + below(random, 3); count > 0; count -= 1) {
    const at = below(random, lines.length);
    lines[at] = mutatedLine(lines[at] ?? "", random);
  }
  const content = lines.join("\n");
  const changed = isDrawn(random, 0.05) ? mutatedJson(jsonOf(header) ?? {}, random) : header;
  return `${changed.replace(/"digest":"\w+"/, `"digest":"${sha256OfText(content)}"`)}\n${content}\n`;
}

function mutatedLine(line: string, random: Random): string {
  if (isDrawn(random, 0.02)) return new TextDecoder().decode(mutatedBytes(new TextEncoder().encode(line), random));
  const value = jsonOf(line) ?? {};
  return isDrawn(random, 0.3) ? mutatedJson(value, random) : formatJson(similar(value, random));
}

/** The value with some texts, numbers and rows replaced by others of the same kind. */
function similar(value: Json, random: Random): Json {
  const texts = new Set<string>();
  const collect = (each: Json): void => {
    if (typeof each === "string") texts.add(each);
    else if (Array.isArray(each)) for (const element of each) collect(element);
    else if (isJsonObject(each)) for (const member of Object.values(each)) collect(member);
  };
  collect(value);
  const known = [...texts];
  const share = oneOf(random, [0.0005, 0.002, 0.01]);
  const changed = (each: Json): Json => {
    if (Array.isArray(each)) {
      const elements = each.map(changed);
      if (elements.length > 1 && isDrawn(random, share)) elements.splice(below(random, elements.length), 1);
      return elements;
    }
    if (isJsonObject(each))
      return Object.fromEntries(Object.entries(each).map(([name, member]) => [name, changed(member)]));
    return isDrawn(random, share) ? replaced(each, known, random) : each;
  };
  return changed(value);
}

const edgeTexts = [
  "",
  "a",
  "0",
  "1",
  "-1",
  "x::1220ab",
  "9".repeat(19),
  "9223372036854775807",
  "é\u0000",
  "__proto__",
  "ab",
];
const edgeNumbers = [0, 1, -1, 2 ** 31, 2 ** 53 - 1, 0.5, 1e21, 253_402_300_799_999];

function replaced(value: Json, known: readonly string[], random: Random): Json {
  if (typeof value === "string") {
    if (/^-?\d+$/.test(value) && isDrawn(random, 0.5)) return String(oneOf(random, edgeNumbers));
    return isDrawn(random, 0.6) ? oneOf(random, known) : oneOf(random, edgeTexts);
  }
  if (typeof value === "number") return oneOf(random, edgeNumbers);
  return typeof value === "boolean" ? !value : value;
}

async function check({ archive, requests }: Input): Promise<string | undefined> {
  const { hosting, handler } = stub();
  const begun = process.threadCpuUsage();
  const imported = await sent(handler, request("POST", "/__understudy/worlds", archive));
  const { user, system } = process.threadCpuUsage(begun);
  if ((user + system) / 1000 > msMax) return `an import takes longer than ${msMax} ms`;
  if (imported.status === 400 || imported.status === 409)
    return typeof jsonOf(imported.text) === "object" ? undefined : "a refusal is not JSON";
  if (imported.status !== 201) return `an import gets ${imported.status}\n${imported.text}`;
  const id = /"id":"([^"]+)"/.exec(imported.text)?.[1] ?? "";
  const stored = storedProblem(hosting.worlds.get(id)?.world.whole);
  if (stored !== undefined) return stored;
  for (const each of [...requestsTo(id), ...requests.map((one) => ({ ...one, target: `/w/${id}${one.target}` }))]) {
    const { status, text } = await sent(handler, each);
    if (status >= 500 && !isPlanned(text)) return `${each.method} ${each.target} gets ${status}\n${text.slice(0, 500)}`;
  }
  return storedProblem(hosting.worlds.get(id)?.world.whole);
}

/** Whether a server error is one that a plan or the state of a ledger gives. */
function isPlanned(text: string): boolean {
  return !/bug in Understudy|invariant|TypeError|RangeError|SyntaxError/.test(text);
}

const scenario = loadScenario(packagedFile("scenarios/onboarding-to-transfer.arazzo.yaml"), diskFiles);

function stub(): { readonly hosting: Hosting; readonly handler: ServedHandler } {
  if (scenario.type === "invalid") throw new Error("invariant: the scenarios of the repository are valid");
  const hosting = hostScenario(scenario.scenario, {
    profile: { ledger: "canton-3.5", registry: "splice-0.7" },
    wallNowMs: () => 0,
    sleep: async () => {},
  });
  const inner = withControl(hosting, loopbackAccess);
  const { handler } = new Inspection({
    source: hosting,
    access: loopbackAccess,
    page: new Map(),
    later: () => undefined,
    inner,
  });
  return { hosting, handler };
}

function requestsTo(id: string): readonly Request[] {
  const control = `/__understudy/worlds/${id}`;
  return [
    ...["", "/archive", "/timeline", "/verdict", "/tables/users", "/tables/contracts", "/traffic"].map((view) =>
      request("GET", `${control}${view}`),
    ),
    request("POST", `${control}/clock/advance`, '{"by":"PT1H"}'),
    request("POST", `${control}/fork`, "{}"),
    request("GET", `/w/${id}/v2/users`),
    request("GET", `/w/${id}/v2/parties`),
    request("GET", `/w/${id}/v2/package-vetting`),
    request("GET", `/w/${id}/registry/metadata/v1/instruments`),
    request("POST", `${control}/reset`, "{}"),
    request("GET", `${control}`),
  ];
}

function request(method: string, target: string, body?: string): Request {
  const headers = [
    ["Host", "localhost"],
    ["Authorization", "Bearer any"],
    ["Content-Type", "application/json"],
  ] as const;
  return { method, target, headers, body: body === undefined ? emptyBody : new Body(body) };
}

async function sent(
  handler: ServedHandler,
  given: Request,
): Promise<{ readonly status: number; readonly text: string }> {
  const headers = given.headers.some(([name]) => name === "Host")
    ? given.headers
    : [["Host", "localhost"] as const, ...given.headers];
  const response = await handler({ ...given, headers });
  return response.type === "response"
    ? { status: response.status, text: response.body.text() }
    : { status: 0, text: "" };
}

/** A store gives back what it was given. */
function storedProblem(state: WorldState | undefined): string | undefined {
  if (state === undefined) return "an imported world is not served";
  const parts = [...partsOf(state)].flatMap((part) => entriesOfJson(JSON.parse(part)));
  const restored = JSON.stringify(storedValue(withEntries(undefined, parts)));
  return restored === JSON.stringify(storedValue(state)) ? undefined : "a store gives another world back";
}
