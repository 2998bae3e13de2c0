import { expect, test } from "vitest";
import type { Exchange } from "../../src/foundation/http/exchange.ts";
import { createRedactor } from "../../src/recordings/redaction/redactor.ts";
import { exchangeOf, harOf, json, replaying, textIn } from "./_replayed.ts";

const own = (hint: string, digit = "a") => `${hint}::1220${digit.repeat(64)}`;
const alice = own("alice");
const listed = (...parties: readonly string[]) =>
  exchangeOf(json("GET", "/v2/users?pageSize=2"), 200, {
    users: parties.map((primaryParty, nth) => ({ id: `user-${nth}`, primaryParty })),
    nextPageToken: "",
  });
const lookup = (party: string) =>
  json("POST", "/registry/transfer-instruction/v2/transfer-factory", {
    choiceArguments: { transfer: { sender: party } },
  });
const rights = (party: string) => ({ rights: [{ kind: { CanActAs: { value: { party } } } }] });
const grant = (party: string, user = "user-0") =>
  json("POST", `/v2/users/${user}/rights`, { userId: user, ...rights(party) });
const granted = (party: string, user = "user-0") =>
  exchangeOf(grant(party, user), 200, { newlyGrantedRights: rights(party).rights });
const execution = (party: string, signedBy: string, submissionId = "6f1c-1") =>
  json("POST", "/v2/interactive-submission/executeAndWait", {
    preparedTransaction: "AAAA",
    partySignatures: { signatures: [{ party, signatures: [{ format: "F", signature: "AAAA", signedBy }] }] },
    submissionId,
  });
const executed = (party: string, signedBy: string, submissionId?: string) =>
  exchangeOf(execution(party, signedBy, submissionId), 200, { updateId: `1220${"b".repeat(64)}` });

/** A replay of exchanges that were recorded with the default flags. */
const redacted = (exchanges: readonly Exchange[]) => replaying(harOf(exchanges.map(createRedactor().redact)));

test("a response that shows a pseudonym leaves it free for the client's own id", async () => {
  const { send, textOf, events } = await redacted([
    listed(alice),
    exchangeOf(lookup(alice), 200, { factoryId: "x" }),
    granted(alice),
    executed(alice, own("").slice(2)),
  ]);
  expect(await textOf("GET", "/v2/users?pageSize=2")).toContain("party-1::1220");
  await send(lookup(alice));
  expect(textIn(await send(grant(alice)))).toContain(alice);
  await send(execution(alice, own("").slice(2), "a-new-one"));
  expect(events.map(({ outcome, number }) => `${outcome} ${number}`)).toEqual([1, 2, 3, 4].map((n) => `matched ${n}`));
  expect(await textOf("GET", "/v2/users?pageSize=2")).toContain(alice);
});

test.each(["1220ab", "1220", "ab", own("").slice(2)])(
  "the own fingerprint %s matches its pseudonym",
  async (signedBy) => {
    const { send, events } = await redacted([listed(alice), executed(alice, signedBy)]);
    await send(execution(alice, signedBy));
    expect(events).toMatchObject([{ outcome: "matched", number: 2 }]);
  },
);

test.each(["01ab", "0102030405"])("the own short contract id %s matches its pseudonym", async (contractId) => {
  const target = "/registry/transfer-instruction/v2/TI/choice-contexts/accept".replace("TI", contractId);
  const { textOf, events } = await redacted([exchangeOf(json("POST", target, {}), 200, { contractId })]);
  expect(JSON.parse(await textOf("POST", target, {}))).toEqual({ contractId });
  expect(events).toMatchObject([{ outcome: "matched" }]);
});

test("an own id within a longer text matches its pseudonym", async () => {
  const memo = `pay ${alice}, not ${own("bob")}.`;
  const sent = json("POST", "/registry/transfer-instruction/v2/transfer-factory", { choiceArguments: { memo } });
  const { send } = await redacted([listed(alice, own("bob")), exchangeOf(sent, 200, { memo })]);
  expect(textIn(await send(sent))).toBe(JSON.stringify({ memo }));
});

test("a namespace of several owners in a response leaves its party free for the client's own id", async () => {
  const joint = own("joint", "b");
  const { send, textOf } = await replaying(
    harOf([listed(`party-1::${joint.slice(7)}`), granted(`party-1::${joint.slice(7)}`)]),
  );
  await textOf("GET", "/v2/users?pageSize=2");
  expect(textIn(await send(grant(own("joint", "c"))))).toContain(own("joint", "c"));
});

test("an id that a client takes from an early response is valid after another client sent its own id for it", async () => {
  const { send, textOf } = await redacted([
    listed(alice),
    exchangeOf(lookup(alice), 200, {}),
    granted(alice),
    granted(alice),
  ]);
  const shown = JSON.parse(await textOf("GET", "/v2/users?pageSize=2")).users[0].primaryParty;
  expect(shown).toMatch(/^party-1::1220/);
  await send(lookup(alice));
  expect(textIn(await send(grant(shown)))).toContain(alice);
  expect(textIn(await send(grant(alice)))).toContain(alice);
});

test("two clients with ids of their own get the responses to their own requests in any order", async () => {
  const [bob, exchanges] = [own("bob"), [granted(alice, "user-0"), granted(own("bob"), "user-1")]];
  const both = [exchangeOf(lookup(alice), 200, { of: "alice" }), exchangeOf(lookup(bob), 200, { of: "bob" })];
  const { send } = await redacted([listed(alice, bob), ...exchanges, ...both]);
  expect(textIn(await send(grant(bob, "user-1")))).toContain(bob);
  expect(textIn(await send(lookup(bob)))).toBe('{"of":"bob"}');
  expect(textIn(await send(lookup(alice)))).toBe('{"of":"alice"}');
  expect(textIn(await send(grant(alice, "user-0")))).toContain(alice);
});

test("a generated id of a request is new in each run, and belongs to one exchange", async () => {
  const signer = own("").slice(2);
  const { send, events } = await redacted([executed(alice, signer, "id-1"), executed(alice, signer, "id-2")]);
  for (const id of ["run-2-a", "run-2-b", "run-2-a", "run-2-c"]) await send(execution(alice, signer, id));
  expect(events.map(({ outcome, number }) => `${outcome} ${number}`)).toEqual([
    "matched 1",
    "matched 2",
    "repeated 1",
    "unmatched undefined",
  ]);
  expect(events.at(-1)?.nearest[0]?.differences).toMatchObject([
    {
      pointer: "/submissionId",
      recorded: "correlation-1",
      requested: "run-2-c",
      why: "run-2-a stands for correlation-1",
    },
  ]);
});

const advice = {
  record: "Record this request too, or serve it from a stub: --continue-with stub",
  keepIds: "Only ids that redaction replaced differ. Record with --keep-ids, so that they are compared as they are.",
  loose: "With --match loose, order and ids may differ, and this request has a match (exchange 2)",
};
const read = (offset: number) => json("POST", "/v2/state/active-contracts", { activeAtOffset: offset, verbose: true });

test.each([
  [
    "a third party",
    lookup(own("carol", "c")),
    "loose",
    advice.keepIds,
    "/choiceArguments/transfer/sender",
    "alice stands for party-1",
  ],
  [
    "an offset of its own",
    read(37),
    "loose",
    advice.keepIds,
    "/activeAtOffset",
    "recorded 1000000000000, requested 37",
  ],
  [
    "another value",
    json("GET", "/v2/users?pageSize=3"),
    "loose",
    advice.record,
    "/pageSize",
    'recorded "2", requested "3"',
  ],
  [
    "another order",
    lookup(alice),
    "strict",
    advice.loose,
    "exchange 1, GET /v2/users?pageSize=2, is next",
    "method differs",
  ],
] as const)(
  "the 501 names the differing member and the flag that helps: %s",
  async (_name, request, match, flag, ...words) => {
    const exchanges = [listed(alice), exchangeOf(lookup(alice), 200, {}), exchangeOf(read(41), 200, [])];
    const { send } = await replaying(harOf(exchanges.map(createRedactor().redact)), { match });
    if (match === "loose") await send(lookup(alice));
    const text = textIn(await send(request));
    expect(text.trimEnd().split("\n").at(-1)).toBe(flag);
    for (const word of words) expect(text).toContain(word);
  },
);
