import { expect, test } from "vitest";
import { ExchangeQueue } from "./exchange-queue.ts";
import { Turns } from "./turns.ts";

/** A queue, and requests that record when they run. */
function noted() {
  const [order, ran] = [new ExchangeQueue(new Turns(setImmediate)), [] as string[]];
  const turn = (name: string, responded?: Promise<void>) => () => {
    ran.push(name);
    return responded;
  };
  return { order, ran, turn };
}

test("runs complete requests at once, or after earlier incomplete ones, in order", () => {
  const { order, ran, turn } = noted();
  order.follow(turn("first"));
  const second = order.await();
  order.follow(turn("third"));
  const fourth = order.await();
  order.follow(turn("fifth"));
  fourth.complete(turn("fourth"));
  expect(ran).toEqual(["first"]);
  second.complete(turn("second"));
  expect(ran).toEqual(["first", "second", "third", "fourth", "fifth"]);
  order.follow(turn("last"));
  expect(ran.at(-1)).toBe("last");
});

test("an asynchronous response delays later requests", async () => {
  const { order, ran, turn } = noted();
  const [one, other] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  order.follow(turn("first", one.promise));
  const second = order.await();
  order.follow(turn("third", other.promise));
  order.follow(turn("fourth"));
  second.complete(turn("second"));
  expect(ran).toEqual(["first"]);
  one.resolve();
  await one.promise;
  expect(ran).toEqual(["first", "second", "third"]);
  other.resolve();
  await other.promise;
  expect(ran).toEqual(["first", "second", "third", "fourth"]);
});

test("drops waiting requests of an ended connection", async () => {
  const { order, ran, turn } = noted();
  const responded = Promise.resolve();
  order.follow(turn("answered later", responded));
  const awaited = order.await();
  order.follow(turn("behind"));
  order.forget();
  awaited.complete(turn("awaited"));
  await responded;
  expect(ran).toEqual(["answered later"]);
});
