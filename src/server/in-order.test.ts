import { expect, test } from "vitest";
import { InOrder } from "./in-order.ts";

test("what is whole runs at once, or behind what is awaited, in the order in which it came", () => {
  const [order, ran] = [new InOrder<object>(), [] as string[]];
  const [one, other] = [{}, {}];
  order.follow(one, () => ran.push("first"));
  const second = order.await(one);
  order.follow(one, () => ran.push("third"));
  const fourth = order.await(one);
  order.follow(one, () => ran.push("fifth"));
  order.follow(other, () => ran.push("elsewhere"));
  fourth(() => ran.push("fourth"));
  expect(ran).toEqual(["first", "elsewhere"]);
  second(() => ran.push("second"));
  expect(ran).toEqual(["first", "elsewhere", "second", "third", "fourth", "fifth"]);
  order.follow(one, () => ran.push("last"));
  expect(ran.at(-1)).toBe("last");
});

test("what waits on a connection that has ended does not run", () => {
  const [order, connection, ran] = [new InOrder<object>(), {}, [] as string[]];
  const awaited = order.await(connection);
  order.follow(connection, () => ran.push("behind"));
  order.forget(connection);
  awaited(() => ran.push("awaited"));
  expect(ran).toEqual([]);
});
