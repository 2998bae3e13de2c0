import { closeSync, openSync, writeSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createUnderstudy, type Exchange, type Understudy } from "../src/index.ts";
import { writeHar } from "../src/recordings/har/write-har.ts";

/** Related exchanges: the pages of a list, a repeated grant. */
const roundSize = 14;
/** Exchanges of a stub; the recording consists of copies of them. */
const poolSize: number = 20 * roundSize;
/** Of ten reads of a polling client, the number of identical exchanges. */
const pollsOfTen = 9;
const header = '{"log":{"version":"1.2","creator":{"name":"canton-understudy","version":"bench"},"entries":[\n';
const paging: string = fileURLToPath(new URL("../scenarios/paging.arazzo.yaml", import.meta.url));

/**
 * Writes a recording, one entry per line, in which an exchange begins every 5 milliseconds. All are different, except
 * with polling clients: then nine of ten reads are equal.
 */
export async function writeRecording(file: string, exchanges: number, isPolling = false): Promise<void> {
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
  await using stub = createUnderstudy({ scenario: paging, profile: "canton-3.5" });
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

const headers = { Authorization: "Bearer any", "Content-Type": "application/json", Accept: "application/json" };

async function askPages(stub: Understudy, round: number): Promise<void> {
  const get = (path: string) => stub.fetch(path, { headers });
  const { nextPageToken } = JSON.parse(await (await get("/v2/users?pageSize=10")).text());
  await get(`/v2/users?pageSize=10&pageToken=${encodeURIComponent(nextPageToken)}`);
  await get(`/v2/users?pageSize=${-1 - round}`);
  await get(`/v2/users?pageSize=${round}x`);
}

async function askOthers(wallet: Understudy, round: number): Promise<void> {
  const post = (path: string, body: object) =>
    wallet.fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
  const get = (path: string) => wallet.fetch(path, { headers });
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
