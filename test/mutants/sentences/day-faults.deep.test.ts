import { expect, test } from "vitest";
import { checkTrace } from "../../../src/checker/engine/checker.ts";
import type { Exchange } from "../../../src/foundation/http/exchange.ts";
import { impliedRegistryProfile, loadSpec } from "../../../src/foundation/spec/spec.ts";
import { probedStub } from "../../acceptance/_probed.ts";
import { consumerDay } from "./_consumer-day.ts";
import { formFaults } from "./form-faults.ts";
import { relatedFaults } from "./related-faults.ts";

const startMs = Date.parse("2026-01-01T00:05:00Z");

type Recorded = Pick<Exchange, "request" | "response"> & { readonly atMs?: number };

/** The rules that fail in a recording with an exchange a second. */
function failing(recorded: readonly Recorded[], ledger: string, isExclusive: boolean): readonly string[] {
  const spec = loadSpec({ ledger, registry: impliedRegistryProfile(ledger) }, { hasAdditionalOperations: true });
  const steps = recorded.map(({ request, response, atMs = 0 }, index) => ({
    exchange: { request, response, startedAt: new Date(startMs + atMs + index * 1000).toISOString(), durationMs: 1 },
  }));
  const level = ledger === "spec" ? "spec" : "release";
  const options = { spec, level, areAdditionalOperationsChecked: true, order: "by-time", isExclusive } as const;
  const { violations } = checkTrace(steps, options).summary();
  return violations.filter(({ outcome }) => outcome === "FAIL").map(({ rule }) => rule);
}

const profiles = ["spec", "canton-3.5", "canton-3.6"] as const;
/** Release 3.6 disables this operation, so its day has no vetting. */
const ofVetting = /vetting|vetted|unknown-package-registered/;
/** A party may exist only later, so a grant may be refused at first. */
const maybeOfState = "grant-without-provider-400-first-vague";

test.each(profiles)(
  "a recording in %s shows each fault between exchanges and in the form of a value",
  async (ledger) => {
    const stub = await probedStub({ ledger });
    const day = await consumerDay(stub.handler, stub);
    const faults = [...relatedFaults, ...formFaults]
      .filter((fault) => fault.in === "all" || ledger !== "spec")
      .filter(({ id }) => ledger !== "canton-3.6" || !ofVetting.test(id));
    expect(faults.length).toBeGreaterThan(100);
    const missed = faults.filter(
      ({ change, needsExclusive }) => failing(change(day), ledger, needsExclusive === true).length === 0,
    );
    expect(missed.map(({ id }) => id)).toEqual([maybeOfState]);
  },
);

test.each(profiles)(
  "a correct recording in %s is not accused, nor one of two servers half an hour apart",
  async (ledger) => {
    const stub = await probedStub({ ledger });
    const day = await consumerDay(stub.handler, stub);
    const fresh = await probedStub({ ledger, seed: 8 });
    const next = (await consumerDay(fresh.handler, fresh)).map((exchange) => ({ ...exchange, atMs: 1_800_000 }));
    expect([...failing(day, ledger, true), ...failing(day, ledger, false)]).toEqual([]);
    expect(failing([...day, ...next], ledger, false)).toEqual([]);
  },
);
