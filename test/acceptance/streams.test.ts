import { expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { startUnderstudy } from "../../src/index.ts";

// Streams over WebSockets, with a client that reads messages as they come.

const ledger = `participantId: participant1::1220ab
users:
  - { id: alice, rights: [{ CanActAs: "alice::1220ab" }] }
identityProviders: [{ id: i, issuer: i, jwksUrl: j }]
synchronizers: [{ alias: a, id: "a::1220ab" }]
parties: [{ id: "alice::1220ab" }, { id: "bob::1220ab" }]
packages: [{ id: ${"a".repeat(64)}, name: app, version: 1.0.0 }]
templates: [{ template: "#app:Main:Asset", signatories: [owner], observers: [], choices: {} }]
`;
const [alice, bob] = ["alice::1220ab", "bob::1220ab"];

const files = { "ledger.yaml": ledger };

async function started(options: Parameters<typeof startUnderstudy>[0] = {}) {
  const understudy = await startUnderstudy({
    scenario: "ledger.yaml",
    files,
    profile: "canton-3.5",
    auth: "user",
    ...options,
  });
  onTestFinished(() => understudy.close());
  return understudy;
}

interface Client {
  /** The next message as JSON; undefined when the connection has ended. */
  next(): Promise<ReturnType<typeof JSON.parse> | undefined>;
  closed(): Promise<number>;
  readonly socket: WebSocket;
}

async function connected(
  url: string,
  path: string,
  request: unknown,
  {
    token = "alice",
    protocols = [`jwt.token.${token}`, "daml.ws.auth"],
  }: { token?: string; protocols?: string[] } = {},
): Promise<Client> {
  const socket = new WebSocket(`${url.replace("http", "ws")}${path}`, protocols);
  const waiting: unknown[] = [];
  let wake: () => void = () => undefined;
  const code = new Promise<number>((resolve) =>
    socket.once("close", (closed) => {
      resolve(closed);
      wake();
    }),
  );
  socket.on("message", (data) => {
    waiting.push(JSON.parse(String(data)));
    wake();
  });
  onTestFinished(() => socket.terminate());
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
  socket.send(typeof request === "string" ? request : JSON.stringify(request));
  return {
    socket,
    closed: () => code,
    async next() {
      while (waiting.length === 0 && socket.readyState === WebSocket.OPEN)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      return waiting.shift();
    },
  };
}

/** The next element that is not a checkpoint. */
async function element(client: Client) {
  for (let next = await client.next(); next !== undefined; next = await client.next())
    if (!JSON.stringify(next).includes("OffsetCheckpoint")) return next;
  return undefined;
}

function create(url: string, commandId: string) {
  const body = {
    commandId,
    actAs: [alice],
    commands: [{ CreateCommand: { templateId: "#app:Main:Asset", createArguments: { owner: alice } } }],
  };
  return fetch(`${url}/v2/commands/submit-and-wait`, {
    method: "POST",
    headers: { Authorization: "Bearer alice", "Content-Type": "application/json" },
    body: JSON.stringify(body),
  }).then((response) => response.json());
}

const updateFormat = (party = alice) => ({
  includeTransactions: {
    eventFormat: { filtersByParty: { [party]: {} } },
    transactionShape: "TRANSACTION_SHAPE_ACS_DELTA",
  },
});
const offsetOf = (update: ReturnType<typeof JSON.parse>) => update?.update.Transaction.value.offset;

test("updates are sent as they are, and then as they come; a checkpoint says how far", async () => {
  const { ledgerUrl: url } = await started();
  await create(url, "c1");
  const client = await connected(url, "/v2/updates", { beginExclusive: 0, updateFormat: updateFormat() });
  expect(client.socket.protocol).toBe("daml.ws.auth");
  expect(offsetOf(await client.next())).toBe(1);
  await create(url, "c2");
  expect(offsetOf(await element(client))).toBe(2);
  const resumed = await connected(url, "/v2/updates", { beginExclusive: 2, updateFormat: updateFormat() });
  expect(await resumed.next()).toMatchObject({ update: { OffsetCheckpoint: { value: { offset: 2 } } } });
});

test("a stream with an end is closed in good order, and so is one of active contracts", async () => {
  const { ledgerUrl: url } = await started();
  await create(url, "c1");
  await create(url, "c2");
  const bounded = await connected(url, "/v2/updates", {
    beginExclusive: 0,
    endInclusive: 1,
    updateFormat: updateFormat(),
  });
  expect([offsetOf(await bounded.next()), await bounded.next(), await bounded.closed()]).toEqual([1, undefined, 1000]);
  const contracts = await connected(url, "/v2/state/active-contracts", {
    activeAtOffset: 2,
    eventFormat: { filtersByParty: { [alice]: {} } },
  });
  const found = [await contracts.next(), await contracts.next()];
  expect(found.map((entry) => Object(entry).contractEntry.JsActiveContract.createdEvent.offset)).toEqual([1, 2]);
  expect([await contracts.next(), await contracts.closed()]).toEqual([undefined, 1000]);
});

test("completions, deprecated updates and trees have streams as well", async () => {
  const { ledgerUrl: url } = await started();
  const completions = await connected(url, "/v2/commands/completions", { parties: [alice], beginExclusive: 0 });
  const all = await connected(url, "/v2/commands/command-completions", { parties: [alice], beginExclusive: 0 });
  const trees = await connected(url, "/v2/updates/trees", {
    beginExclusive: 0,
    filter: { filtersByParty: { [alice]: {} } },
  });
  const flats = await connected(url, "//v2/updates/flats", {
    beginExclusive: 0,
    filter: { filtersByParty: { [alice]: {} } },
  });
  await create(url, "c1");
  const completion = { completionResponse: { Completion: { value: { commandId: "c1", offset: 1 } } } };
  expect(await element(completions)).toMatchObject(completion);
  expect(await element(all)).toMatchObject(completion);
  expect(await element(trees)).toMatchObject({ update: { TransactionTree: { value: { offset: 1 } } } });
  expect(offsetOf(await element(flats))).toBe(1);
});

test("an error is one message, then the stream is closed in good order", async () => {
  const { ledgerUrl: url } = await started();
  const refused = async (request: unknown, token?: string) => {
    const client = await connected(url, "/v2/updates", request, token === undefined ? {} : { token });
    return [Object(await client.next()).code, await client.closed()];
  };
  expect(await refused({ beginExclusive: 0, updateFormat: updateFormat(bob) })).toEqual(["NA", 1000]);
  expect(await refused({ beginExclusive: 9, updateFormat: updateFormat() })).toEqual(["OFFSET_AFTER_LEDGER_END", 1000]);
  expect(await refused({ beginExclusive: 0 })).toEqual(["INVALID_ARGUMENT", 1000]);
  expect(await refused("no JSON")).toEqual(["LEDGER_API_INTERNAL_ERROR", 1000]);
});

test("a token of an unknown user is refused instead of the upgrade; without a token the first message is", async () => {
  const understudy = await started();
  await expect(connected(understudy.ledgerUrl, "/v2/updates", {}, { token: "nobody" })).rejects.toThrow("403");
  const anonymous = await connected(
    understudy.ledgerUrl,
    "/v2/updates",
    { beginExclusive: 0, updateFormat: updateFormat() },
    { protocols: ["daml.ws.auth"] },
  );
  expect([Object(await anonymous.next()).grpcCodeValue, await anonymous.closed()]).toEqual([16, 1000]);
  expect(understudy.journal.at(-1)?.response).toMatchObject({ status: 403 });
  await expect(connected(understudy.ledgerUrl, "/v2/users", {})).rejects.toThrow();
});

test("a stream follows its world alone, and ends when that is removed or reset", async () => {
  const understudy = await started();
  const world = understudy.fork();
  const request = { beginExclusive: 0, updateFormat: updateFormat() };
  const own = await connected(world.ledgerUrl, "/v2/updates", request);
  const other = await connected(understudy.ledgerUrl, "/v2/updates", request);
  await create(world.ledgerUrl, "c1");
  const commandOf = async (client: Client) => Object(await element(client)).update.Transaction.value.commandId;
  expect(await commandOf(own)).toBe("c1");
  await create(understudy.ledgerUrl, "c2");
  expect(await commandOf(other)).toBe("c2");
  world.reset();
  expect(await own.closed()).toBe(1006);
});

test("a page of another origin opens no stream", async () => {
  const { ledgerUrl: url } = await started();
  const socket = new WebSocket(`${url.replace("http", "ws")}/v2/updates`, ["daml.ws.auth"], {
    origin: "http://elsewhere.example",
  });
  await expect(new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject))).rejects.toThrow(
    "403",
  );
});
