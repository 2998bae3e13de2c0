import { expect, test } from "vitest";
import { loaded } from "./draft.ts";
import { NotPlayable } from "./not-playable.ts";

test("refuses what fits into no world, and says why", () => {
  const files = { scenario: "workflows: []", ledger: "", registry: "" };
  expect(() => loaded(files, { ledger: "ledger.yaml", registry: "registry.yaml" })).toThrow(NotPlayable);
  expect(() => loaded(files, { ledger: "ledger.yaml", registry: "registry.yaml" })).toThrow(
    /workflows must NOT have fewer/,
  );
});
