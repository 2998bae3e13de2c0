import fc from "fast-check";
import { expect, test } from "vitest";
import { redacted, sent, shown } from "../../../test/_redacted.ts";
import type { Exchange } from "../../foundation/http/exchange.ts";
import { formatJson } from "../../foundation/json/json.ts";
import {
  decodeCreatedEventBlob,
  encodeCreatedEventBlob,
  encodeTextRecord,
} from "../../foundation/protobuf/created-event-blob.ts";
import { encodePartyToParticipant } from "../../foundation/protobuf/topology-transaction.ts";
import { harEntry } from "../har/har-entry.ts";
import { createRedactor, createRestorer } from "./redactor.ts";

const template = `${"5".repeat(64)}:Splice.Rules:Rules`;

const digits = fc.stringMatching(/^[0-9a-f]{64}$/);
const hint = fc.stringMatching(/^[A-Za-z0-9_-]{3,30}$/);
const id = fc.tuple(hint, digits).map(([before, after]) => `${before}::1220${after}`);
const contractId = fc.tuple(digits, digits).map(([head, tail]) => `00${head}ca121220${tail}`);
const marked = fc.record({ party: id, other: id, contract: contractId, update: digits.map((tail) => `1220${tail}`) });

/** Every place in which a request or a response can carry an identifier. */
function carrying({
  party,
  other,
  contract: cid,
  update: uid,
}: {
  readonly party: string;
  readonly other: string;
  readonly contract: string;
  readonly update: string;
}): Exchange {
  const blob = encodeCreatedEventBlob({
    contractId: cid,
    packageName: "p",
    templateId: template,
    createdAtMicros: 1n,
    signatories: [party, other],
    createArgument: encodeTextRecord([other, cid, "1.0"]),
  });
  const topology = encodePartyToParticipant(
    { party, threshold: 1, participants: [{ id: other, permission: "confirmation" }] },
    { bytes: new Uint8Array(32).fill(1), spec: 1, format: 3 },
  );
  const value = {
    text: `${party} met ${other}`,
    list: [party, cid, uid],
    [party]: cid,
    blob,
    createdEventBlob: blob,
    topologyTransactions: [topology],
    inner: JSON.stringify({ other, cid }),
    b64: btoa(`${party}|${cid}`),
  };
  const target = `/v2/parties/${encodeURIComponent(party)}/${cid}?a=${other}&b=${encodeURIComponent(`${uid} ${cid}`)}`;
  const headers = [
    ["X-Party", party],
    ["Referer", `https://h/${encodeURIComponent(other)}`],
    ["Cookie", `p=${party}`],
  ] as const;
  const response = { cause: `no ${cid} of ${party} in ${uid}`, context: { other }, updateId: uid };
  return sent({ target, headers, body: value, status: 404, responseBody: response });
}

function readable(exchange: Exchange): string {
  const { target, headers, body, response } = shown(exchange);
  const text = [
    decodeURIComponent(target),
    JSON.stringify(headers),
    decodeURIComponent(JSON.stringify(headers)),
    body,
    response,
  ].join("\n");
  const runs = [...text.matchAll(/[A-Za-z0-9+/_-]{16,}={0,2}/g)].map(([run]) => Buffer.from(run, "base64"));
  return [text, ...runs.flatMap((bytes) => [bytes.toString("latin1"), bytes.toString("hex")])].join("\n");
}

test("redacts identifiers in every place and encoding, and restores them", () => {
  fc.assert(
    fc.property(marked, (ids) => {
      const redactor = createRedactor();
      const exchange = carrying(ids);
      const out = redactor.redact(exchange);
      const text = readable(out);
      const parts = [ids.party, ids.other].map((party) => party.slice(-64));
      const originals = [
        ids.party,
        ids.other,
        ids.contract,
        ids.contract.slice(2, 66),
        ids.contract.slice(-64),
        ids.update.slice(4),
        ...parts,
      ];
      expect(originals.filter((original) => text.includes(original))).toEqual([]);
      const same = createRedactor();
      expect(shown(same.redact(out))).toEqual(shown(out));
      expect(shown(createRestorer(redactor.names())(out))).toMatchObject({
        target: exchange.request.target,
        body: exchange.request.body.text(),
      });
    }),
  );
});

test("gives each original one name, and no two the same", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(id, contractId), { minLength: 1, maxLength: 30 }), (ids) => {
      const redactor = createRedactor();
      const out = ids.map((each) => JSON.parse(redacted({ body: { each } }, redactor).body).each);
      expect(new Set(out).size).toBe(new Set(ids).size);
      expect(ids.map((each) => out[ids.indexOf(each)])).toEqual(out);
    }),
  );
});

test("the lengths in a redacted protobuf are right", () => {
  fc.assert(
    fc.property(marked, fc.array(fc.oneof(fc.string({ maxLength: 200 }), id), { maxLength: 10 }), (ids, texts) => {
      const event = {
        contractId: ids.contract,
        packageName: "p",
        templateId: template,
        createdAtMicros: 1n,
        signatories: [ids.party, ids.other],
        createArgument: encodeTextRecord(texts),
      };
      const value = { createdEventBlob: encodeCreatedEventBlob(event), ids: { ...ids }, texts };
      const { body } = redacted({ body: value });
      const read = JSON.parse(body);
      expect(decodeCreatedEventBlob(read.createdEventBlob)).toEqual({
        ...event,
        contractId: read.ids.contract,
        signatories: [read.ids.party, read.ids.other],
        createArgument: encodeTextRecord(read.texts),
      });
    }),
  );
});

test.each(["0@", "user:password@host/v2/users", "*"])(
  "a redacted target %s leaves no secret in the entry",
  (target) => {
    const redactor = createRedactor();
    const exchange = sent({ method: "GET", target });
    expect(redactor.leaksIn(formatJson(harEntry(redactor.redact(exchange))))).toEqual([]);
  },
);
