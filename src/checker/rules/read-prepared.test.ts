import { expect, test } from "vitest";
import { exchangeOf } from "../../../test/_exchange.ts";
import {
  decodePreparedTransaction,
  encodePreparedTransaction,
} from "../../foundation/protobuf/prepared-transaction.ts";
import { routeOf } from "../../foundation/spec/route-of.ts";
import { loadSpec } from "../../foundation/spec/spec.ts";
import { createExchangeReader } from "./read-exchange.ts";
import { readPrepared } from "./read-prepared.ts";

const transaction = (transactionUuid: string) =>
  encodePreparedTransaction({
    transaction: undefined,
    metadata: {
      actAs: ["alice::1220ab"],
      commandId: "c",
      synchronizerId: "a::1220ab",
      mediatorGroup: 0,
      transactionUuid,
      preparationTimeMicros: 1n,
      minLedgerTimeMicros: undefined,
      maxLedgerTimeMicros: undefined,
      maxRecordTimeMicros: undefined,
      inputContracts: [],
    },
  });

test("reads the UUID, and one digest with and without padding", () => {
  const padded = ["3f9a", "3f9ab", "3f9abc"].map(transaction).filter((text) => text.endsWith("="));
  expect(padded).toHaveLength(2);
  for (const text of padded) expect(readPrepared(text.replace(/=+$/, "")).digest).toBe(readPrepared(text).digest);
  expect(readPrepared(transaction("3f9a")).uuid()).toBe("3f9a");
  expect(new Set(["3f9a", "7c21"].map((uuid) => readPrepared(transaction(uuid)).digest)).size).toBe(2);
});

test("reads the UUID of a transaction that cannot be decoded otherwise", () => {
  const broken = Buffer.concat([Buffer.from([0x0a, 1, 0xff]), Buffer.from(transaction("3f9a"), "base64")]);
  expect(decodePreparedTransaction(broken.toString("base64"))).toBeUndefined();
  expect(readPrepared(broken.toString("base64")).uuid()).toBe("3f9a");
});

test("an empty or redacted text has no digest, and an invalid one has no UUID", () => {
  const read = ["", "[redacted]", "YQ==", "=="].map(readPrepared);
  expect(read.map(({ digest }) => digest !== undefined)).toEqual([false, false, true, true]);
  expect(read.map((reading) => reading.uuid())).toEqual(["", "", "", ""]);
});

test("readings of the same transaction that follow each other are one, unless it is long", () => {
  const spec = loadSpec({ ledger: "spec", registry: "spec" });
  const exchange = exchangeOf();
  const route = routeOf(spec, exchange.request);
  if (route === undefined) throw new Error("no route");
  const read = createExchangeReader(spec);
  const readings = ["YQ==", "YQ==", "Yg==", "YQ=="].map((text) => read(exchange, route).preparedOf(text));
  expect(readings[1]).toBe(readings[0]);
  expect(readings[2]?.digest).toBe(readPrepared("Yg==").digest);
  expect(readings[3]?.digest).toBe(readings[0]?.digest);
  const long = "A".repeat(2 * 1024 * 1024);
  expect(read(exchange, route).preparedOf(long)).not.toBe(read(exchange, route).preparedOf(long));
});
