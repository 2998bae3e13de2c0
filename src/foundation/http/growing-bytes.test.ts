import fc from "fast-check";
import { expect, test } from "vitest";
import { HeldBytes } from "../limits/held-bytes.ts";
import { GrowingBytes } from "./growing-bytes.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

test("keeps every part, of any size, in order", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 3000 }), { maxLength: 20 }), (parts) => {
      const whole = Buffer.concat(parts);
      const held = new HeldBytes(1_000_000);
      const growing = new GrowingBytes(held, whole.length);
      for (const part of parts) expect(growing.add(part)).toBe(true);
      expect(Buffer.from(growing.bytes).equals(whole)).toBe(true);
      expect(held.bytes).toBeGreaterThanOrEqual(whole.length);
      expect(held.bytes).toBeLessThanOrEqual(Math.max(1024, whole.length));
    }),
  );
});

test("holds a body of many small parts in a buffer of its size, and copies each byte about twice", () => {
  const held = new HeldBytes(10_000_000);
  const growing = new GrowingBytes(held, 100_000);
  const sizes = new Set<number>();
  for (let count = 0; count < 100_000; count += 1) {
    growing.add(bytesOf("x"));
    sizes.add(held.bytes);
  }
  expect([...sizes]).toEqual([1024, 2048, 4096, 8192, 16_384, 32_768, 65_536, 100_000]);
});

test("does not keep the buffers of its parts", () => {
  const growing = new GrowingBytes(new HeldBytes(1000), 10);
  const part = bytesOf("part");
  growing.add(part);
  part.fill(0);
  expect(Buffer.from(growing.bytes).toString()).toBe("part");
});

test("refuses a part beyond the budget, and gives everything back when it is released", () => {
  const held = new HeldBytes(3000);
  const [first, second] = [new GrowingBytes(held, 2000), new GrowingBytes(held, 2000)];
  expect([first.add(new Uint8Array(2000)), second.add(new Uint8Array(500)), held.bytes]).toEqual([true, false, 2000]);
  const { bytes } = first;
  first.release();
  expect([held.bytes, bytes.length, first.bytes.length]).toEqual([0, 0, 0]);
  expect([second.add(new Uint8Array(500)), held.bytes]).toEqual([true, 1024]);
  first.release();
  expect(held.bytes).toBe(1024);
});
