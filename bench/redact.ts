// Compares the processor time of redacting exchanges with JSON.parse of the same lines, in the same run: node bench/redact.ts
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { diskFiles } from "../src/entrypoints/library/files.ts";
import { hostScenario } from "../src/entrypoints/library/host-scenario.ts";
import type { Exchange } from "../src/foundation/http/exchange.ts";
import type { Handler } from "../src/foundation/http/handler.ts";
import { impliedRegistryProfile } from "../src/foundation/spec/spec.ts";
import { harEntry } from "../src/recordings/har/har-entry.ts";
import { recordedExchange } from "../src/recordings/har/recorded-exchange.ts";
import { createRedactor } from "../src/recordings/redaction/redactor.ts";
import { loadScenario } from "../src/scenarios/files/load-scenario.ts";
import { runScenario } from "../src/scenarios/files/run-scenario.ts";
import { accessBy } from "../src/stub/control/access.ts";
import { withControl } from "../src/stub/control/control.ts";

const { values } = parseArgs({
  options: { exchanges: { type: "string", default: "20000" }, rounds: { type: "string", default: "5" } },
});
const folder = fileURLToPath(new URL("../scenarios/", import.meta.url));
const idsOfRound = /1220[0-9a-f]{8}|(?<=00)[0-9a-f]{8}(?=[0-9a-f]{56}ca1)/g;

/** The exchanges of the steps of all scenarios. */
async function traffic(): Promise<readonly Exchange[]> {
  const found: Exchange[] = [];
  const profile = { ledger: "canton-3.5", registry: impliedRegistryProfile("canton-3.5") };
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".arazzo.yaml"))) {
    const result = loadScenario(`${folder}${file}`, diskFiles);
    if (result.type === "invalid") throw new Error(JSON.stringify(result.problems));
    const hosting = hostScenario(result.scenario, { profile, wallNowMs: () => 0, sleep: async () => {} });
    const controlled = withControl(hosting, accessBy("localhost"));
    const handler: Handler = (request) =>
      controlled({ ...request, headers: [["Host", "localhost"], ...request.headers] });
    const steps = await runScenario(result.scenario, { handler, hasControl: true, nowMs: () => 0 });
    found.push(...steps.flatMap(({ exchange }) => exchange ?? []));
  }
  return found;
}

/** The lines of a recording; each has its own traceparent and update id, as on a node. */
function linesOf(pool: readonly Exchange[], count: number): readonly string[] {
  const entries = pool.map((exchange) => JSON.stringify(harEntry(exchange)));
  return Array.from({ length: count }, (_, index) => {
    const digits = (index + 0x10000000).toString(16);
    const round = Math.floor(index / pool.length);
    const line = entries[index % entries.length] ?? "";
    const traced = line.replace(
      /"headers":\[(\]?)/,
      (_, end: string) =>
        `"headers":[{"name":"traceparent","value":"00-${digits.repeat(4)}-${digits.repeat(2)}-01"}${end === "" ? "," : "]"}`,
    );
    const isRenewed = round % 10 === 9;
    return isRenewed
      ? traced.replaceAll(idsOfRound, (id) => id.slice(0, -8) + (0x10000000 + round).toString(16))
      : traced;
  });
}

interface Spent {
  readonly parse: number;
  readonly redact: number;
  readonly gate: number;
}

function measure(lines: readonly string[]): Spent {
  const spent = { parse: 0, redact: 0, gate: 0 };
  const timed = (name: keyof Spent, work: () => void) => {
    const begin = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(begin);
    spent[name] = (user + system) / 1000;
  };
  const exchanges: Exchange[] = [];
  timed("parse", () => {
    for (const line of lines) JSON.parse(line);
  });
  for (const line of lines) {
    const exchange = recordedExchange(JSON.parse(line));
    if (exchange !== undefined) exchanges.push(exchange);
  }
  const redactor = createRedactor();
  const redacted: Exchange[] = [];
  timed("redact", () => {
    for (const exchange of exchanges) redacted.push(redactor.redact(exchange));
  });
  const written = redacted.map((exchange) => JSON.stringify(harEntry(exchange)));
  timed("gate", () => {
    for (const line of written) if (redactor.leaksIn(line).length > 0) throw new Error("a leak");
  });
  return spent;
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((left, right) => left - right)[Math.floor(numbers.length / 2)] ?? 0;

const lines = linesOf(await traffic(), Number(values.exchanges));
const characters = lines.reduce((sum, line) => sum + line.length, 0);
console.log(`${lines.length} exchanges of the scenarios, ${(characters / lines.length / 1000).toFixed(1)} kB each`);
const rounds = Array.from({ length: Number(values.rounds) }, () => measure(lines));
const parse = median(rounds.map((round) => round.parse));
for (const [name, timeOf] of [
  ["JSON.parse of the lines", (round: Spent) => round.parse],
  ["redact", (round: Spent) => round.redact],
  ["leaksIn", (round: Spent) => round.gate],
  ["redact and leaksIn", (round: Spent) => round.redact + round.gate],
] as const) {
  const ms = median(rounds.map(timeOf));
  const perSecond = Math.round((lines.length / ms) * 1000);
  console.log(`${name}: ${perSecond} exchanges/s, ${(ms / parse).toFixed(1)} times JSON.parse`);
}
