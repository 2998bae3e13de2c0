import { expect, test } from "vitest";
import { BodyMessages } from "./body-messages.ts";

const prepared = { transaction: undefined, metadata: undefined };

test("a known transaction is not decoded, and its fields count once in a request", () => {
  const messages = new BodyMessages(10);
  for (let read = 0; read < 3; read += 1)
    expect(messages.preparedTransaction("not base64", { prepared, fields: 10 })).toBe(prepared);
  expect(messages.isExceeded).toBe(false);
  expect(messages.createdEvent("CgA=")).toBeUndefined();
  expect(messages.isExceeded).toBe(true);
});

test("another transaction is decoded", () => {
  const messages = new BodyMessages(10);
  expect(messages.preparedTransaction("a", { prepared, fields: 1 })).toBe(prepared);
  expect(messages.preparedTransaction("not base64")).toBeUndefined();
  expect(messages.preparedTransaction("a", { prepared, fields: 1 })).toBe(prepared);
});

test("a known transaction with more fields than allowed is not given", () => {
  const messages = new BodyMessages(10);
  expect(messages.preparedTransaction("", { prepared, fields: 11 })).toBeUndefined();
  expect(messages.isExceeded).toBe(true);
});
