// Measures requests in a world, without a socket: `node worlds-child.ts LIBRARY SCENARIO NAMES UPDATES ROUNDS`, and prints the figures as JSON.
import { readFileSync } from "node:fs";
import type { Understudy } from "../../src/index.ts";
import { ask, askJson, type Fetch, firstPage, type LoadRequest, post } from "../request.ts";
import { median } from "../rows.ts";
import { tapsOf } from "../traffic/execute.ts";
import { grant } from "../traffic/grant-rights.ts";
import { lookup } from "../traffic/transfer-factory.ts";
import type { World } from "../workspace.ts";

const [library = "", scenario = "", namesFile = "", updates = "0", rounds = "1"] = process.argv.slice(2);
const { createUnderstudy }: typeof import("../../src/index.ts") = await import(library);
const understudy = createUnderstudy({ scenario });
const send: Fetch = (path, options) => understudy.fetch(path, options);

/** Turns of each request in a round, and requests in a turn. A collection of a large heap falls into a few turns, by chance. */
const turns = 20;
const requestsOfTurn = 25;
/** Rounds that do not count, for the JIT compiler: the small world has executed fewer requests before. */
const warmUpRounds = 10;
const forksPerRound = 1000;
/** Contracts of the first party, in every world; the others share the rest. */
const ownContracts = 20;
/** The last page begins within the last users. */
const pageSize = 100;

const generated: World = JSON.parse(readFileSync(namesFile, "utf8"));

/** Gives parties test tokens, each with an update of its own. Returns the ids of the updates. */
async function makeUpdates(world: World): Promise<readonly string[]> {
  const prepare = await tapsOf(world, send);
  const [first = "", ...others] = world.parties;
  const ids: string[] = [];
  for (let index = 0; index < Number(updates); index += 1) {
    const party = index < ownContracts ? first : others[index % others.length];
    ids.push((await askJson(send, await prepare(`c-${index}`, party))).updateId);
  }
  return ids;
}

/** A request for each operation; those of a grant differ. */
async function requestsOf(world: World): Promise<Readonly<Record<string, (number: number) => LoadRequest>>> {
  const ids = await makeUpdates(world);
  const updateId = ids[ownContracts - 1];
  const [party = ""] = world.parties;
  const filter = { identifierFilter: { WildcardFilter: { value: { includeCreatedEventBlob: false } } } };
  const eventFormat = { filtersByParty: { [party]: { cumulative: [filter] } }, verbose: false };
  const { offset } = await askJson(send, { method: "GET", path: "/v2/state/ledger-end" });
  const includeTransactions = { eventFormat, transactionShape: "TRANSACTION_SHAPE_ACS_DELTA" };
  const lastPage: LoadRequest = { method: "GET", path: `${firstPage.path}&pageToken=${await lastToken()}` };
  return {
    first: () => firstPage,
    page: () => lastPage,
    lookup: () => lookup(world),
    grant: (number) => grant(world, number),
    "active-contracts": () => post("/v2/state/active-contracts", { activeAtOffset: offset, eventFormat }),
    update: () => post("/v2/updates/update-by-id", { updateId, updateFormat: { includeTransactions } }),
  };
}

/** The token of the last page, found by walking through all. */
async function lastToken(token = ""): Promise<string> {
  const path = `/v2/users?pageSize=${pageSize}&pageToken=${token}`;
  const { nextPageToken } = await askJson(send, { method: "GET", path });
  return nextPageToken === "" ? token : lastToken(encodeURIComponent(nextPageToken));
}

/** Processor time of each operation in microseconds, for each round: the median of its turns. The operations alternate. */
async function measureRequests(world: World): Promise<Readonly<Record<string, readonly number[]>>> {
  const all = Object.entries(await requestsOf(world)).map(([name, request]) => ({
    name,
    request,
    rounds: [0].slice(1),
  }));
  let number = 0;
  for (let round = 0; round < warmUpRounds + Number(rounds); round += 1) {
    const ofTurns = all.map(({ request }) => ({ request, micros: [0].slice(1) }));
    for (let turn = 0; turn < turns; turn += 1)
      for (const { request, micros } of ofTurns) {
        const requests = Array.from({ length: requestsOfTurn }, () => request(number++));
        const before = process.cpuUsage();
        for (const each of requests) await expectSuccess(each);
        const { user, system } = process.cpuUsage(before);
        micros.push((user + system) / requestsOfTurn);
      }
    if (round >= warmUpRounds)
      for (const [index, each] of all.entries()) each.rounds.push(median(ofTurns[index]?.micros));
  }
  return Object.fromEntries(all.map((each) => [each.name, each.rounds]));
}

async function expectSuccess(request: LoadRequest): Promise<void> {
  const { status, text } = await ask(send, request);
  if (status !== 200) throw new Error(`${request.path}: ${text.slice(0, 500)}`);
}

/** Microseconds and heap bytes of a fork, in rounds of many forks. */
async function measureForks(origin: Understudy) {
  const [fork, bytes]: [number[], number[]] = [[], []];
  for (let round = 0; round < Number(rounds); round += 1) {
    globalThis.gc?.();
    const before = process.memoryUsage().heapUsed;
    const begun = performance.now();
    const forks = Array.from({ length: forksPerRound }, () => origin.fork());
    fork.push(((performance.now() - begun) * 1000) / forksPerRound);
    globalThis.gc?.();
    bytes.push((process.memoryUsage().heapUsed - before) / forksPerRound);
    for (const each of forks) await each.close();
  }
  return { fork, bytes };
}

/** Users of the copy of the fixture have other ids. */
const { users } = await askJson(send, { method: "GET", path: "/v2/users?pageSize=1000" });
const userIds = users.flatMap((user: { id: string; identityProviderId: string }) =>
  user.identityProviderId === "" ? [user.id] : [],
);
const forks = await measureForks(understudy);
console.log(JSON.stringify({ ...forks, ...(await measureRequests({ ...generated, userIds })) }));
