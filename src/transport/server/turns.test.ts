import { expect, test } from "vitest";
import { Turns } from "./turns.ts";

/** Turns whose next one begins on demand, with a clock that is set by hand. */
function manual() {
  const scheduled: (() => void)[] = [];
  const clock = { nowMs: 0 };
  const turns = new Turns({ later: (run) => scheduled.push(run), nowMs: () => clock.nowMs });
  return { turns, next: () => scheduled.shift()?.(), scheduled, clock };
}

test("runs a limited number of steps in a turn, and the others in later turns, in order", () => {
  const { turns, next } = manual();
  const ran: number[] = [];
  for (let step = 0; step < 150; step += 1) turns.run(() => ran.push(step));
  const counts = [ran.length];
  for (let turn = 0; turn < 3; turn += 1) {
    next();
    counts.push(ran.length);
  }
  expect(counts).toEqual([64, 128, 150, 150]);
  expect(ran).toEqual([...ran].sort((one, other) => one - other));
});

test("a step that adds a step lets the steps of others run first", () => {
  const { turns, next } = manual();
  const ran: string[] = [];
  const forever = (name: string) => () => {
    ran.push(name);
    turns.run(forever(name));
  };
  turns.run(forever("one"));
  for (let other = 0; other < 3; other += 1) turns.run(forever(`other ${other}`));
  ran.length = 0;
  next();
  expect(ran.slice(0, 4)).toEqual(["one", "other 0", "other 1", "other 2"]);
  expect(ran.length).toBeLessThanOrEqual(64);
});

test("schedules nothing while there is nothing to do", () => {
  const { turns, next, scheduled } = manual();
  turns.run(() => undefined);
  next();
  expect(scheduled).toEqual([]);
});

test("a turn ends with the step that exceeds its time", () => {
  const { turns, next, clock } = manual();
  const ran: number[] = [];
  const stepMs = [4, 4, 4, 30, 1, 1];
  for (const [step, ms] of stepMs.entries())
    turns.run(() => {
      ran.push(step);
      clock.nowMs += ms;
    });
  const counts = [ran.length];
  for (let turn = 0; turn < 3; turn += 1) {
    clock.nowMs += 1000;
    next();
    counts.push(ran.length);
  }
  expect(counts).toEqual([3, 4, 6, 6]);
});
