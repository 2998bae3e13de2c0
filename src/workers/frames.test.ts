import { expect, test } from "vitest";
import { FrameReader, frameOf } from "./frames.ts";

const messages = ["", "a", "b".repeat(300), "", "c".repeat(70_000)];
const stream = Buffer.concat(messages.map((message, number) => frameOf(number + 2 ** 31, Buffer.from(message))));

test.each([1, 7, 8, 9, 1000, 65_536, stream.length])("messages come whole, in pieces of %d bytes", (size) => {
  const taken: (readonly [number, string])[] = [];
  const reader = new FrameReader((number, message) => taken.push([number - 2 ** 31, Buffer.from(message).toString()]));
  for (let at = 0; at < stream.length; at += size) reader.add(stream.subarray(at, at + size), () => true);
  expect(taken).toEqual(messages.map((message, number) => [number, message]));
});

test("a message that is too long is refused before it is there", () => {
  const taken: number[] = [];
  const reader = new FrameReader((number) => taken.push(number));
  expect(reader.add(frameOf(1, Buffer.from("123")), (bytes) => bytes <= 3)).toBe(true);
  expect(reader.add(frameOf(2, Buffer.from("1234")).subarray(0, 8), (bytes) => bytes <= 3)).toBe(false);
  expect(taken).toEqual([1]);
});

test("a message keeps nothing of what came with it", () => {
  let kept = 0;
  const reader = new FrameReader((_, message) => {
    kept = message.buffer.byteLength;
  });
  reader.add(Buffer.concat([frameOf(1, Buffer.from("123")), Buffer.alloc(10_000, 0xff).subarray(0, 7)]), () => true);
  expect(kept).toBe(3);
});
