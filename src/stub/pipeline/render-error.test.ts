import { expect, test } from "vitest";
import { contracts } from "../../foundation/spec/contracts.ts";
import { nodeError } from "../../simulator/operations/refusal.ts";
import { renderLedgerError } from "./render-error.ts";

const options = {
  profile: "canton-3.5",
  traceId: "ab".repeat(16),
  participantId: "p::1220ab",
  isJsonLayerTraced: true,
  hasPlainTypes: false,
};

test("an error has definite_answer in its context if the catalogue says so, and not if it is redacted", () => {
  const { codes, categories } = contracts.errorCodes;
  const sent = codes.filter(({ http }) => http !== null);
  const wanted = sent.filter(
    ({ definiteAnswer, category }) => definiteAnswer && categories[category]?.redacted !== true,
  );
  const found = sent.filter(({ code }) => {
    const { context } = JSON.parse(renderLedgerError(nodeError(code, "why"), options).body.text());
    return context.definite_answer === "false";
  });
  expect(found.map(({ code }) => code)).toEqual(wanted.map(({ code }) => code));
  expect(wanted.length).toBeGreaterThan(10);
});
