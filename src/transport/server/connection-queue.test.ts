import { expect, test } from "vitest";
import { ConnectionQueue } from "./connection-queue.ts";
import { Turns } from "./turns.ts";

/** A queue, and requests that record when they run. */
function noted() {
  const [order, ran] = [new ConnectionQueue(new Turns({ later: setImmediate, nowMs: () => 0 })), [] as string[]];
  const turn = (name: string, responded?: Promise<void>) => () => {
    ran.push(name);
    return responded;
  };
  return { order, ran, turn };
}

test("runs complete requests at once, or after earlier incomplete ones, in order", () => {
  const { order, ran, turn } = noted();
  order.follow(turn("first"), "alone");
  const second = order.await("alone");
  order.follow(turn("third"), "alone");
  const fourth = order.await("alone");
  order.follow(turn("fifth"), "alone");
  fourth.complete(turn("fourth"));
  expect(ran).toEqual(["first"]);
  second.complete(turn("second"));
  expect(ran).toEqual(["first", "second", "third", "fourth", "fifth"]);
  order.follow(turn("last"), "alone");
  expect(ran.at(-1)).toBe("last");
});

test("an asynchronous response delays later requests", async () => {
  const { order, ran, turn } = noted();
  const [one, other] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  order.follow(turn("first", one.promise), "alone");
  const second = order.await("alone");
  order.follow(turn("third", other.promise), "alone");
  order.follow(turn("fourth"), "alone");
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
  order.follow(turn("answered later", responded), "alone");
  const awaited = order.await("alone");
  order.follow(turn("behind"), "alone");
  order.forget();
  awaited.complete(turn("awaited"));
  await responded;
  expect(ran).toEqual(["answered later"]);
});

test("pipelined requests wait for their turn, in order", async () => {
  const { order, ran, turn } = noted();
  const names = Array.from({ length: 100 }, (_, index) => `request ${index}`);
  for (const name of names)
    if (name.endsWith("0")) order.follow(turn(name), "pipelined");
    else order.await("pipelined").complete(turn(name));
  expect(ran).toEqual(names.slice(0, 64));
  await new Promise((resolve) => setImmediate(resolve));
  expect(ran).toEqual(names);
});
