import { expect, test } from "vitest";
import { fileLimits } from "../files/file-limits.ts";
import { scenarioText } from "./documents.ts";
import { loaded } from "./draft.ts";
import { NotPlayable } from "./not-playable.ts";

test("rejects files that are not a valid scenario, with the reason", () => {
  const files = { scenario: "workflows: []", ledger: "", registry: "" };
  expect(() => loaded(files, { ledger: "ledger.yaml", registry: "registry.yaml" })).toThrow(NotPlayable);
  expect(() => loaded(files, { ledger: "ledger.yaml", registry: "registry.yaml" })).toThrow(
    /workflows must NOT have fewer/,
  );
});

test.each([fileLimits.fileNestingMax, 10_000])(
  "refuses a value of %d levels, which no file can have within others",
  (depth) => {
    const value = JSON.parse(`${"[".repeat(depth)}${"]".repeat(depth)}`);
    const steps = [{ stepId: "s", requestBody: { payload: value } }];
    const parts = { name: "x", description: "", profile: "spec", startMs: 0, plan: [], steps };
    const sources = { ledger: "l", registry: "r", additionalOperations: "a", control: "c" };
    const paths = { given: { ledger: "ledger.yaml", registry: "registry.yaml" }, sources };
    expect(() => scenarioText(parts, paths)).toThrow(/nested too deeply for a file, which has 200 levels/);
  },
);
