import { sha256 as portable } from "@noble/hashes/sha2.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { sha256, sha256OfText } from "./sha256.ts";

test("the hash is that of the portable code", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      expect(Buffer.from(sha256(bytes)).equals(portable(bytes))).toBe(true);
    }),
  );
});

test("the hash of a text is that of its UTF-8, also with unpaired surrogates", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 50 }), fc.constantFrom("", "\ud800", "é\udc00"), (text, end) => {
      const bytes = new TextEncoder().encode(text + end);
      expect(sha256OfText(text + end)).toBe(Buffer.from(portable(bytes)).toString("hex"));
    }),
  );
});
