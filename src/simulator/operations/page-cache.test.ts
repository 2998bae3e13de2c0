import { expect, test } from "vitest";
import { PageCache } from "./page-cache.ts";

const page = (name: string) => () => ({ name });

test("gives the same page of the same state, and another one for each state and key", () => {
  const cache = new PageCache<{ readonly name: string }>();
  const [state, later] = [{}, {}];
  const first = cache.of(state, "1", page("first"));
  expect(cache.of(state, "1", neverRequested)).toBe(first);
  expect(cache.of(state, "2", page("second")).members.name).toBe("second");
  expect(cache.of(state, "1", neverRequested)).toBe(first);
  expect(cache.of(later, "1", page("changed")).members.name).toBe("changed");
  expect(cache.of(later, "2", page("of the later state")).members.name).toBe("of the later state");
  expect(cache.of(state, "1", page("first again")).members.name).toBe("first again");
});

test("keeps a bounded number of pages", () => {
  const cache = new PageCache<{ readonly name: string }>();
  const state = {};
  let made = 0;
  const walk = () => {
    for (let number = 0; number < 1000; number += 1)
      cache.of(state, String(number), () => {
        made += 1;
        return { name: "page" };
      });
  };
  walk();
  walk();
  expect(made).toBe(2000);
});

test("pages of more than a million characters are not kept", () => {
  const cache = new PageCache<{ readonly name: string }>();
  const state = {};
  let made = 0;
  const make = () => {
    made += 1;
    return { name: "large" };
  };
  const parts = ["x".repeat(1024 * 1024), "y"];
  for (let times = 0; times < 3; times += 1)
    expect(cache.of(state, "1", make).sent(undefined, () => ({ parts, json: null })).parts).toBe(parts);
  expect(made).toBe(3);
});

function neverRequested(): never {
  throw new Error("built twice");
}
