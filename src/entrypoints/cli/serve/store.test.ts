import { expect, test } from "vitest";
import { closeWorlds } from "./store.ts";

async function messagesOf(close: () => Promise<void>, patienceMs?: number): Promise<readonly string[]> {
  const messages: string[] = [];
  await closeWorlds({ close }, { printError: (text) => messages.push(text) }, patienceMs);
  return messages;
}

test("says nothing when the worlds are given back", async () => {
  expect(await messagesOf(() => Promise.resolve())).toEqual([]);
});

test("does not wait forever for a store that does not respond", async () => {
  const [message, ...others] = await messagesOf(() => new Promise(() => undefined), 1);
  expect(message).toContain("The store did not respond within 0.001 seconds");
  expect(others).toEqual([]);
});
