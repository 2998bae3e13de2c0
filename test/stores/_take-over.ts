import { expect } from "vitest";
import { openStore } from "../../src/entrypoints/stores/open-store.ts";

/** Another process takes the default world of the replica `a`, as it does when the lease of `a` has expired. Its own lease is short. */
export async function takeOver(url: string): Promise<void> {
  const store = await openStore({ url, isRelaxed: false, folder: "" });
  await store.release(["default"], "a");
  await store.renew("b", 1);
  expect((await store.take("default", "b")).type).toBe("taken");
  await store.close();
}
