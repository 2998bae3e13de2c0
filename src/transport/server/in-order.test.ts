import { expect, test } from "vitest";
import { InOrder } from "./in-order.ts";

/** An order, and turns that note that they ran. */
function noted() {
  const [order, ran] = [new InOrder(), [] as string[]];
  const turn = (name: string, responded?: Promise<void>) => () => {
    ran.push(name);
    return responded;
  };
  return { order, ran, turn };
}

test("what is whole runs at once, or behind what is awaited, in the order in which it came", () => {
  const { order, ran, turn } = noted();
  order.follow(turn("first"));
  const second = order.await();
  order.follow(turn("third"));
  const fourth = order.await();
  order.follow(turn("fifth"));
  fourth(turn("fourth"));
  expect(ran).toEqual(["first"]);
  second(turn("second"));
  expect(ran).toEqual(["first", "second", "third", "fourth", "fifth"]);
  order.follow(turn("last"));
  expect(ran.at(-1)).toBe("last");
});

test("what is answered later keeps those behind it waiting until then", async () => {
  const { order, ran, turn } = noted();
  const [one, other] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  order.follow(turn("first", one.promise));
  const second = order.await();
  order.follow(turn("third", other.promise));
  order.follow(turn("fourth"));
  second(turn("second"));
  expect(ran).toEqual(["first"]);
  one.resolve();
  await one.promise;
  expect(ran).toEqual(["first", "second", "third"]);
  other.resolve();
  await other.promise;
  expect(ran).toEqual(["first", "second", "third", "fourth"]);
});

test("what waits on a connection that has ended does not run", async () => {
  const { order, ran, turn } = noted();
  const responded = Promise.resolve();
  order.follow(turn("answered later", responded));
  const awaited = order.await();
  order.follow(turn("behind"));
  order.forget();
  awaited(turn("awaited"));
  await responded;
  expect(ran).toEqual(["answered later"]);
});
