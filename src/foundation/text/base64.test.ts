import { expect, test, vi } from "vitest";
import { base64OfBytes, bytesOfBase64, isBase64 } from "./base64.ts";

test("a page writes the same base64 as Node", () => {
  const texts = [0, 1, 2, 3, 255].map((length) => Uint8Array.from({ length }, (_, index) => 255 - index));
  const written = texts.map(base64OfBytes);
  vi.stubGlobal("Buffer", undefined);
  const inPage = texts.map(base64OfBytes);
  vi.unstubAllGlobals();
  expect(inPage).toEqual(written);
  expect(written[4]).toMatch(/^\/\/79\/P/);
});

test("a page reads the same base64 as Node", () => {
  const all = [0, 1, 200, 201, 5000].map((length) => Uint8Array.from({ length }, (_, index) => 255 - index));
  const texts = all.map(base64OfBytes);
  expect(texts.map(bytesOfBase64)).toEqual(all);
  vi.stubGlobal("Buffer", undefined);
  const inPage = texts.map(bytesOfBase64);
  vi.unstubAllGlobals();
  expect(inPage).toEqual(all);
});

test("base64 with white space, another alphabet, or characters after its padding is refused", () => {
  expect(["", "AQ==", "AQ", "AQI=", "AQID"].map(isBase64)).toEqual([true, true, true, true, true]);
  expect(["AQ ID", "AQID\n", "A_ID", "AQ==AQ==", "é"].map(isBase64)).toEqual([false, false, false, false, false]);
});
