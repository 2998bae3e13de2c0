import { expect, test } from "vitest";
import { Timestamps } from "./timestamps.ts";

test("formats repeated and new timestamps", () => {
  const timestamps = new Timestamps();
  expect([0, 0, 1, 0].map((ms) => timestamps.of(ms))).toEqual([
    "1970-01-01T00:00:00.000Z",
    "1970-01-01T00:00:00.000Z",
    "1970-01-01T00:00:00.001Z",
    "1970-01-01T00:00:00.000Z",
  ]);
});
