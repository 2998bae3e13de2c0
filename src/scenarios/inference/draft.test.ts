import { expect, test } from "vitest";
import { loaded } from "./draft.ts";
import { NotPlayable } from "./not-playable.ts";

test("rejects files that are not a valid scenario, with the reason", () => {
  const files = { scenario: "workflows: []", ledger: "", registry: "" };
  expect(() => loaded(files, { ledger: "ledger.yaml", registry: "registry.yaml" })).toThrow(NotPlayable);
  expect(() => loaded(files, { ledger: "ledger.yaml", registry: "registry.yaml" })).toThrow(
    /workflows must NOT have fewer/,
  );
});
