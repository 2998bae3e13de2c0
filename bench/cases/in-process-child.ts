// Measures without a socket: `node in-process-child.ts fetch|world SCENARIO ROUNDS`, and prints it as JSON.
import { createUnderstudy, type Understudy } from "../../src/index.ts";
import { parseObject } from "../json.ts";
import { measureForks } from "../measure-forks.ts";
import { median } from "../medians.ts";

const [what, scenario = "", rounds = "1"] = process.argv.slice(2);

const headers = { Authorization: "Bearer any" };

/** Turns of each path in a round, and requests in a turn. A collection of a large heap falls into a few turns, by chance. */
const turns = 20;
const requestsOfTurn = 250;

/** Processor time per request in microseconds, for each round: the median of its turns. The paths alternate. */
async function spend(understudy: Understudy, paths: readonly string[]): Promise<readonly (readonly number[])[]> {
  const spent = paths.map((): number[] => []);
  for (let round = 0; round <= Number(rounds); round += 1) {
    const ofTurns = paths.map((): number[] => []);
    for (let turn = 0; turn < turns; turn += 1)
      for (const [index, path] of paths.entries()) ofTurns[index]?.push(await spendTurn(understudy, path));
    // The first round warms up.
    if (round > 0) for (const [index, each] of ofTurns.entries()) spent[index]?.push(median(each));
  }
  return spent;
}

async function spendTurn(understudy: Understudy, path: string): Promise<number> {
  const before = process.cpuUsage();
  for (let count = 0; count < requestsOfTurn; count += 1) await (await understudy.fetch(path, { headers })).text();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / requestsOfTurn;
}

/** Users in a copy of the generated fixture (`many-users.ts`). */
const copySize = 1000;

/** The token of the page with which the last copy of the fixture begins, found by walking through all pages. */
async function tokenOfLastCopy(understudy: Understudy): Promise<string> {
  let token = "";
  for (;;) {
    const path = `/v2/users?pageSize=${copySize}&pageToken=${encodeURIComponent(token)}`;
    const { nextPageToken } = parseObject(await (await understudy.fetch(path, { headers })).text());
    if (typeof nextPageToken !== "string" || nextPageToken === "") return token;
    token = nextPageToken;
  }
}

const understudy = createUnderstudy({ scenario });
if (what === "fetch") {
  const [spent] = await spend(understudy, ["/v2/users?pageSize=10"]);
  console.log(JSON.stringify({ spent }));
} else {
  const forks = await measureForks(understudy);
  const token = encodeURIComponent(await tokenOfLastCopy(understudy));
  const [start, end] = await spend(understudy, ["/v2/users?pageSize=10", `/v2/users?pageSize=10&pageToken=${token}`]);
  console.log(JSON.stringify({ ...forks, start, end }));
}
