import { expect, test } from "vitest";
import { idParts, withShortIds } from "./id-parts.ts";

const digits = "1220ab12cd34ab12cd34ab12cd34ab12cd34";

test("shortens an id in the middle and keeps the text around it", () => {
  expect(idParts(`CanActAs alice::${digits}, ParticipantAdmin`)).toEqual([
    { text: "CanActAs " },
    { text: `alice::${digits}`, short: "alice::1220ab…cd34" },
    { text: ", ParticipantAdmin" },
  ]);
  expect(idParts(`"${digits}:Splice.Amulet:Amulet"`)).toEqual([
    { text: '"' },
    { text: `${digits}:Splice.Amulet:Amulet`, short: "1220ab…cd34:Splice.Amulet:Amulet" },
    { text: '"' },
  ]);
});

test("leaves a text without a long id as it is", () => {
  expect(idParts("alice::1220ab12cd34")).toEqual([{ text: "alice::1220ab12cd34" }]);
  expect(idParts("")).toEqual([]);
});

test("shortens the ids of a target", () => {
  expect(withShortIds(`GET /v2/users/alice%3A%3A${digits}/rights?x=1`)).toBe(
    "GET /v2/users/alice%3A%3A1220…cd34/rights?x=1",
  );
});

test("a long text without separators takes one pass", () => {
  const blob = `${"x".repeat(9_000)}${digits}${"y".repeat(9_000)}`;
  expect(idParts(blob)).toHaveLength(1);
  expect(idParts("ab".repeat(20_000))).toEqual([{ text: "ab".repeat(20_000) }]);
});
