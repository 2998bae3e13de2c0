import { expect, test } from "vitest";
import { BodyMessages, createEventReader } from "./body-messages.ts";
import { decodeCreatedEventBlob, encodeCreatedEventBlob } from "./created-event-blob.ts";
import { FieldBudget } from "./field-budget.ts";

const prepared = { transaction: undefined, metadata: undefined };

test("a known transaction is not decoded, and its fields count once in a request", () => {
  const messages = new BodyMessages(10, createEventReader(10));
  for (let read = 0; read < 3; read += 1)
    expect(messages.preparedTransaction("not base64", { prepared, fields: 10 })).toBe(prepared);
  expect(messages.isExceeded).toBe(false);
  expect(messages.createdEvent("CgA=")).toBeUndefined();
  expect(messages.isExceeded).toBe(true);
});

test("another transaction is decoded", () => {
  const messages = new BodyMessages(10, createEventReader(10));
  expect(messages.preparedTransaction("a", { prepared, fields: 1 })).toBe(prepared);
  expect(messages.preparedTransaction("not base64")).toBeUndefined();
  expect(messages.preparedTransaction("a", { prepared, fields: 1 })).toBe(prepared);
});

test("a known transaction with more fields than allowed is not given", () => {
  const messages = new BodyMessages(10, createEventReader(10));
  expect(messages.preparedTransaction("", { prepared, fields: 11 })).toBeUndefined();
  expect(messages.isExceeded).toBe(true);
});

test("a blob is decoded once, and its fields count in every request", () => {
  const blob = encodeCreatedEventBlob({
    contractId: "00ab",
    packageName: "app",
    templateId: "p:Main:Asset",
    createdAtMicros: 5n,
    signatories: ["alice::1220ab"],
    createArgument: new Uint8Array(),
  });
  const budget = new FieldBudget();
  const expected = decodeCreatedEventBlob(blob, budget);
  const readEvent = createEventReader(budget.fields + 1);
  const [event] = [1, 2].map(() => {
    const messages = new BodyMessages(budget.fields + 1, readEvent);
    const first = messages.createdEvent(blob);
    expect(messages.isExceeded).toBe(false);
    expect(messages.createdEvent(blob)).toBeUndefined();
    expect(messages.isExceeded).toBe(true);
    return first;
  });
  expect(event).toEqual(expected);
  expect(readEvent(blob)).toEqual({ event: expected, fields: budget.fields });
  expect(readEvent(blob)).toBe(readEvent(blob));
  const small = new BodyMessages(budget.fields - 1, createEventReader(budget.fields - 1));
  expect(small.createdEvent(blob)).toBeUndefined();
  expect(small.isExceeded).toBe(true);
  expect(readEvent("not base64")).toEqual({ event: undefined, fields: 0 });
});
