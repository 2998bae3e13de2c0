// Measures time and memory of a check of a large recording, compared with JSON.parse of its lines.
// It runs the built package (`npm run build`), in processes with two cores, or one core if the line says so.
// Run with `npm run bench:check`, or `npm run bench:check -- --exchanges 1000000 --traffic polling --rounds 3`.
import { spawnSync } from "node:child_process";
import { closeSync, createReadStream, existsSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createUnderstudy, type Exchange, type Understudy } from "../src/index.ts";
import { writeHar } from "../src/recordings/har/write-har.ts";

/** Related exchanges: the pages of a list, a repeated grant. */
const roundSize = 14;
/** Exchanges of a stub; the recording consists of copies of them. */
const poolSize: number = 20 * roundSize;
/** Of ten reads of a polling client, the number of identical exchanges. */
const pollsOfTen = 9;
const header = '{"log":{"version":"1.2","creator":{"name":"canton-understudy","version":"bench"},"entries":[\n';
const main = fileURLToPath(new URL("../dist/cli/main.cjs", import.meta.url));
const self = fileURLToPath(import.meta.url);

const { values } = parseArgs({
  options: {
    exchanges: { type: "string", default: "100000" },
    rounds: { type: "string", default: "5" },
    traffic: { type: "string", default: "different" },
    parse: { type: "string" },
    write: { type: "string" },
  },
});
const rounds = Number(values.rounds);
const isPolling = values.traffic === "polling";

/** The measured cases by name. `taskset` keeps a process on one core; without it the cases of one core are skipped. */
const cases: readonly Case[] = [
  { name: "JSON.parse of each line", words: (file) => [self, "--parse", file], cores: 2 },
  { name: "check", words: (file) => [main, "check", file, "--json"], cores: 2 },
  { name: "JSON.parse of each line, one core", words: (file) => [self, "--parse", file], cores: 1 },
  { name: "check, one core", words: (file) => [main, "check", file, "--json"], cores: 1 },
  // The time that each process takes to start: a recording of one exchange.
  { name: "start of JSON.parse", words: (_, small) => [self, "--parse", small], cores: 2 },
  { name: "start of the check", words: (_, small) => [main, "check", small, "--json"], cores: 2 },
];

interface Case {
  readonly name: string;
  readonly words: (file: string, small: string) => readonly string[];
  readonly cores: 1 | 2;
}

/** Runs interleaved rounds, each in a separate process, so that no case warms up another. */
async function compare(exchanges: number): Promise<void> {
  if (!existsSync(main)) throw new Error("The package is not built. Run: npm run build");
  const folder = mkdtempSync(join(tmpdir(), "understudy-bench-"));
  try {
    const [file, small] = [join(folder, "recording.har"), join(folder, "small.har")];
    await record(file, exchanges);
    await record(small, 1);
    const megabytes = (statSync(file).size / 1e6).toFixed(0);
    console.log(
      `${exchanges} exchanges (${values.traffic}), one entry per line, ${megabytes} MB; ${cpus().length} cores`,
    );
    const possible = cases.filter(({ cores }) => cores > 1 || hasTaskset());
    const runs = new Map(possible.map(({ name }) => [name, [] as Run[]]));
    for (let round = 0; round < rounds; round += 1)
      for (const { name, words, cores } of possible) runs.get(name)?.push(timed(words(file, small), cores));
    report(runs);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function hasTaskset(): boolean {
  return spawnSync("taskset", ["--version"]).status === 0;
}

interface Run {
  readonly ms: number;
  /** Processor time; other load on the machine does not change it. */
  readonly cpuMs: number;
  readonly peakMegabytes: number;
}

/** Runs Node and parses time and peak memory from its last output. */
function timed(words: readonly string[], cores: 1 | 2): Run {
  const tell = `process.on("exit", () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    console.error("spent", performance.now(), (userCPUTime + systemCPUTime) / 1000, maxRSS);
  })`;
  const preload = ["--import", `data:text/javascript,${encodeURIComponent(tell)}`];
  const [command = "", ...rest] = [
    ...(cores === 1 ? ["taskset", "-c", "0"] : []),
    process.execPath,
    ...preload,
    ...words,
  ];
  const ran = spawnSync(command, rest, { encoding: "utf8", maxBuffer: 2 ** 28 });
  const [, ms, cpuMs, kilobytes] = /spent (\S+) (\S+) (\S+)/.exec(ran.stderr) ?? [];
  if (ran.status === null || ran.status > 1) throw new Error(`${words.join(" ")}: ${ran.stderr}`);
  return { ms: Number(ms), cpuMs: Number(cpuMs), peakMegabytes: Number(kilobytes) / 1000 };
}

/** Medians, minimum processor time, and the ratio to parsing on as many cores. All times include the start. */
function report(runs: ReadonlyMap<string, readonly Run[]>): void {
  const elapsedOf = (name: string) => median((runs.get(name) ?? []).map(({ ms }) => ms));
  const leastOf = (name: string) => Math.min(...(runs.get(name) ?? []).map(({ cpuMs }) => cpuMs));
  for (const [name, its] of runs) {
    const parse = name.endsWith("one core") ? "JSON.parse of each line, one core" : "JSON.parse of each line";
    const peak = Math.max(...its.map(({ peakMegabytes }) => peakMegabytes));
    const ratios = [elapsedOf(parse) / elapsedOf(name), leastOf(parse) / leastOf(name)].map((ratio) =>
      ratio.toFixed(2),
    );
    const times = `elapsed ${elapsedOf(name).toFixed(0)} ms, processor ${leastOf(name).toFixed(0)} ms`;
    console.log(`${name}: ${times}, peak ${peak.toFixed(0)} MB; ${ratios.join(" and ")} of the speed of JSON.parse`);
  }
  console.log(`medians of elapsed and least of processor time, of ${rounds} interleaved processes each`);
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((left, right) => left - right)[Math.floor(numbers.length / 2)] ?? 0;
}

/** Parses like a script: with Node's line reader, and drops each line. */
async function parseLines(file: string): Promise<void> {
  let entries = 0;
  for await (const line of createInterface({ input: createReadStream(file) })) {
    if (!line.startsWith('{"started')) continue;
    const entry: unknown = JSON.parse(line.endsWith(",") ? line.slice(0, -1) : line);
    if (entry !== null) entries += 1;
  }
  if (entries === 0) throw new Error("nothing was read");
}

/**
 * Writes a recording, one entry per line, in which an exchange begins every 5 milliseconds. All are different, except
 * with polling clients: then nine of ten reads are equal.
 */
async function record(file: string, exchanges: number): Promise<void> {
  const pool = (await exchangesOfStub()).map(lineOf);
  const beginMs = Date.parse("2026-01-01T00:00:00Z");
  const output = openSync(file, "w");
  writeSync(output, header);
  for (let index = 0; index < exchanges; index += 1) {
    const startedAt = new Date(beginMs + index * 5).toISOString();
    const end = index === exchanges - 1 ? "\n]}}\n" : ",\n";
    const line = pool[index % pool.length];
    const isPoll = isPolling && line?.isRead === true && Math.floor(index / poolSize) % 10 < pollsOfTen;
    const round = isPoll ? 0 : Math.floor(index / roundSize);
    writeSync(output, `{"startedDateTime":"${startedAt}"${line?.parts.join(String(round).padStart(8, "0"))}${end}`);
  }
  closeSync(output);
}

interface Line {
  /** Text before and after a number that is unique to the exchange. */
  readonly parts: readonly string[];
  readonly isRead: boolean;
}

/** Where the number is inserted: names and ids of parties, issuers, transactions, pages, updates and traces. */
const places =
  /(?<=\b(?:alice|nobody|corporate|bob|submission(?=-)))(?=[-:\d"\\/])|(?<=(?:traceId|tid|updateId|preparedTransaction)\\":\\"|nextPageToken\\":\\"(?=.*\\")|completionOffset\\":\d{1,9}(?!\d)|pageToken=|pageSize=\d{1,5}x)(?!\\)/;

function lineOf(exchange: Exchange): Line {
  const { log } = JSON.parse(writeHar([exchange], "bench"));
  const line = JSON.stringify({ ...log.entries[0], startedDateTime: "", time: 3 });
  const isRead = exchange.request.method === "GET" || exchange.request.target.includes("/registry/");
  return { parts: line.slice('{"startedDateTime":""'.length).split(places), isRead };
}

/** A mix as on a busy node: pages of users, lookups, grants, refusals and executions. */
async function exchangesOfStub(): Promise<readonly Exchange[]> {
  await using stub = createUnderstudy({ scenario: scenarioFile("paging"), profile: "canton-3.5" });
  await using wallet = createUnderstudy({ profile: "canton-3.5" });
  const found: Exchange[] = [];
  for (let round = 0; found.length < poolSize; round += 1) {
    await askPages(stub, round);
    await askOthers(wallet, round);
    found.push(...stub.journal, ...wallet.journal);
    stub.reset();
    wallet.reset();
  }
  return found.slice(0, poolSize);
}

const authorized = { Authorization: "Bearer any", "Content-Type": "application/json", Accept: "application/json" };

async function askPages(stub: Understudy, round: number): Promise<void> {
  const get = (path: string) => stub.fetch(path, { headers: authorized });
  const { nextPageToken } = JSON.parse(await (await get("/v2/users?pageSize=10")).text());
  await get(`/v2/users?pageSize=10&pageToken=${encodeURIComponent(nextPageToken)}`);
  await get(`/v2/users?pageSize=${-1 - round}`);
  await get(`/v2/users?pageSize=${round}x`);
}

async function askOthers(wallet: Understudy, round: number): Promise<void> {
  const post = (path: string, body: object) =>
    wallet.fetch(path, { method: "POST", headers: authorized, body: JSON.stringify(body) });
  const get = (path: string) => wallet.fetch(path, { headers: authorized });
  for (const part of [1, 2, 3, 4])
    await post("/registry/transfer-instruction/v2/transfer-factory", lookup(round, part));
  const rights = [{ kind: { CanActAs: { value: { party: alice } } } }, { kind: { CanReadAsAnyParty: { value: {} } } }];
  await post("/v2/users/bob/rights", { userId: "bob", identityProviderId: "", rights });
  await post("/v2/users/bob/rights", { userId: "bob", identityProviderId: "", rights });
  await post("/v2/users/bob/rights", { userId: `bob${round}`, rights });
  await get("/v2/idps");
  await get("/v2/users/nobody");
  const executed = await post("/v2/interactive-submission/executeAndWait", execution(round));
  if (!executed.ok) throw new Error(await executed.text());
}

const alice = "alice::12202bd806c97f0e00af1a1fc3328fa763a9269723c8db8fac4f93af71db186d6e90";
const bob = "bob::122081b637d8fcd2c6da6359e6963113a1170de795e4b725b84d1e0b4cfd9ec58ce9";

/** Bob has pre-approved transfers, so that a transfer to him has at least four disclosed contracts. */
function lookup(round: number, part: number): object {
  const account = (owner: string) => ({ owner, provider: null, id: "" });
  const empty = { values: {} };
  return {
    choiceArguments: {
      transfer: {
        sender: account(alice),
        receiver: account(bob),
        amount: `${round}.${part}`,
        instrumentId: {
          admin: "DSO::12206c8fd2dd9768e7414dab87a0e087f4f72026463827e6fb17c516cca1a8cc1686",
          id: "Amulet",
        },
        requestedAt: "2026-01-01T00:00:00Z",
        executeBefore: "2026-01-02T00:00:00Z",
        inputHoldingCids: [],
        meta: empty,
      },
      actors: [alice],
      extraArgs: { context: empty, meta: empty },
    },
    excludeDebugFields: part > 1,
  };
}

function execution(round: number): object {
  const signature = {
    format: "SIGNATURE_FORMAT_CONCAT",
    signature: "AAAA",
    signedBy: "1220ab",
    signingAlgorithmSpec: "SIGNING_ALGORITHM_SPEC_ED25519",
  };
  return {
    preparedTransaction: "YWxpY2Ugb2ZmZXJzIGNhcm9sIDEw",
    partySignatures: { signatures: [{ party: alice, signatures: [signature] }] },
    submissionId: `submission-${round}`,
    hashingSchemeVersion: "HASHING_SCHEME_VERSION_V2",
    deduplicationPeriod: { Empty: {} },
  };
}

function scenarioFile(name: string): string {
  return fileURLToPath(new URL(`../scenarios/${name}.arazzo.yaml`, import.meta.url));
}

if (values.write !== undefined) await record(values.write, Number(values.exchanges));
else if (values.parse === undefined) await compare(Number(values.exchanges));
else await parseLines(values.parse);
