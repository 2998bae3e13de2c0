import { expect, test, vi } from "vitest";
import { base64OfBytes } from "./base64.ts";

test("a page writes the same base64 as Node", () => {
  const texts = [0, 1, 2, 3, 255].map((length) => Uint8Array.from({ length }, (_, index) => 255 - index));
  const written = texts.map(base64OfBytes);
  vi.stubGlobal("Buffer", undefined);
  const inPage = texts.map(base64OfBytes);
  vi.unstubAllGlobals();
  expect(inPage).toEqual(written);
  expect(written[4]).toMatch(/^\/\/79\/P/);
});
