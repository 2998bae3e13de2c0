import { expect, test } from "vitest";
import { loadSpec } from "../../foundation/spec/spec.ts";
import { contextLookups } from "./context-lookups.ts";

test("lists every registry operation that gives a choice context", () => {
  const spec = loadSpec({ ledger: "canton-3.5", registry: "splice-0.7" }, { hasAdditionalOperations: true });
  const lookups = spec.operations.filter(({ path, method }) => path.startsWith("/registry/") && method === "POST");
  expect(lookups.map(({ operationId }) => operationId).sort()).toEqual([...contextLookups].sort());
});
