import fc from "fast-check";
import { expect, test } from "vitest";
import { isIdentifier } from "./identifiers.ts";

test("long base64 has the alphabet, the padding and the length of short base64", () => {
  const characters = "Aa9+/".repeat(12);
  const tail = fc.string({ unit: fc.constantFrom("A", "/", "=", " ", "\n", "-", "_", "é", "\u{1f600}"), maxLength: 5 });
  fc.assert(
    fc.property(tail, tail, (middle, end) => {
      const text = `${characters}${middle}${characters}${end}`;
      const isValid = /^[A-Za-z0-9+/]*={0,2}$/.test(text);
      const [isWhole, isPossible] = [text.length % 4 === 0, text.length % 4 !== 1 && !text.endsWith("=")];
      expect(isIdentifier("base64", text)).toBe(isValid && (isWhole || isPossible));
      expect(isIdentifier("createdEventBlob", text)).toBe(isValid && isWhole);
    }),
    { numRuns: 1000 },
  );
});
