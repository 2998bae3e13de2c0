import { expect } from "vitest";
import { packagedFile } from "../../src/entrypoints/library/files.ts";
import { openStore } from "../../src/entrypoints/stores/open-store.ts";

/** Another process takes the default world of the replica `a`, as it does when the lease of `a` has expired. Its own lease is short. */
export async function takeOver(url: string): Promise<void> {
  const { worlds: store } = await openStore({
    url,
    isRelaxed: false,
    folder: "",
    migrations: packagedFile("migrations"),
  });
  await store.release(["default"], "a");
  await store.renew("b", 1);
  expect((await store.take("default", "b")).type).toBe("taken");
  await store.close();
}
