import { expect, test, vi } from "vitest";
import { exchangeOf } from "../../../test/_example-exchange.ts";
import { loadSpec } from "../../foundation/spec/spec.ts";
import type { ClientRule } from "../client-rules/client-rule.ts";
import { clientRules } from "../client-rules/index.ts";
import type { RuleExample } from "../rules/rule.ts";
import { ClientChecker, type ClientRulesOptions, checkClientRules } from "./client-checker.ts";
import { CountedFindings, FoundFinding, findingKindsMax } from "./counted-findings.ts";

const spec = loadSpec({ ledger: "spec", registry: "spec" }, { hasAdditionalOperations: true });
const live = { spec, order: "one-by-one", isWhole: true, isOneWorld: true } as const;

/** The exchanges of the first example that breaks a rule. */
function breaking(id: string): readonly Omit<RuleExample, "name">[] {
  const example = ruleNamed(id)?.examples.broken[0];
  if (example === undefined) throw new Error(`no rule ${id}`);
  return "exchanges" in example ? example.exchanges : [example];
}

function ruleNamed(id: string): ClientRule | undefined {
  return clientRules.find((rule) => rule.id === id);
}

type Change = Partial<Omit<RuleExample, "name">>;

function checked(
  options: ClientRulesOptions,
  exchanges: readonly Omit<RuleExample, "name">[],
  change: (index: number) => Change & { readonly startedAt?: string } = () => ({}),
): ClientChecker {
  const checker = new ClientChecker(options);
  for (const [index, example] of exchanges.entries()) {
    const { startedAt, ...more } = change(index);
    const requestHeaders = { ...example.requestHeaders, ...more.requestHeaders };
    const exchange = exchangeOf(spec, { ...example, ...more, requestHeaders });
    checker.add(startedAt === undefined ? exchange : { ...exchange, startedAt });
  }
  return checker;
}

const rulesOf = (checker: ClientChecker) => checker.report().findings.map(({ rule }) => rule);

test("a finding has rule, sentence, expected and actual value, advice, and the index of its exchange", () => {
  const checker = checked(live, breaking("hashing-scheme-as-prepared"));
  expect(checker.report().findings).toEqual([
    {
      rule: "hashing-scheme-as-prepared",
      severity: "error",
      section: "4.2",
      sentence: "`hashingSchemeVersion`, a required string, is the version with which the hash was computed.",
      operationId: "postV2Interactive-submissionExecuteandwait",
      method: "POST",
      path: "/v2/interactive-submission/executeAndWait",
      status: 200,
      expected: "HASHING_SCHEME_VERSION_V2, as in the response to the preparation",
      actual: "HASHING_SCHEME_VERSION_V3",
      pointer: "/hashingSchemeVersion",
      advice: ruleNamed("hashing-scheme-as-prepared")?.advice,
      exchange: 1,
      kind: "hashing-scheme-as-prepared postV2Interactive-submissionExecuteandwait /hashingSchemeVersion",
      count: 1,
    },
  ]);
});

const lookupThenSubmission = breaking("conflict-invalidates-context");

test("checks a registry lookup and a ledger submission together when their hosts differ", () => {
  const options = { ...live, isOneWorld: false };
  const apart = checked(options, lookupThenSubmission, (index) => ({
    requestHeaders: { Host: index < 2 ? "registry" : "ledger" },
  }));
  expect(rulesOf(apart)).toEqual(["conflict-invalidates-context"]);
});

test.each([
  [
    "two worlds by path",
    (index: number) => ({ target: `/w/fork-${index < 2 ? 1 : 2}${lookupThenSubmission[index]?.target}` }),
  ],
  ["two worlds by header", (index: number) => ({ requestHeaders: { "Understudy-World": index < 2 ? "a" : "b" } })],
])("keeps %s apart", (_, change) => {
  expect(rulesOf(checked({ ...live, isOneWorld: false }, lookupThenSubmission, change))).toEqual([]);
  expect(rulesOf(checked(live, lookupThenSubmission, change))).toEqual(["conflict-invalidates-context"]);
});

test("of two stubs in one recording, each with both APIs, neither counts as the registry of the other", () => {
  const [lookUp, conflict, prepare] = lookupThenSubmission;
  if (lookUp === undefined || conflict === undefined || prepare === undefined) throw new Error("the example is short");
  const hosts = ["one", "two", "one"];
  const change = (index: number) => ({ requestHeaders: { Host: hosts[index] ?? "" } });
  expect(rulesOf(checked({ ...live, isOneWorld: false }, [lookUp, conflict, prepare], change))).toEqual([]);
});

test.each([
  "page-tokens-from-pages",
  "paging-stops-at-last-page",
  "synchronizer-named-after-refusal",
  "party-listed-before-use",
])("%s keeps ledgers on different hosts apart", (id) => {
  const last = breaking(id).length - 1;
  const change = (index: number) => ({ requestHeaders: { Host: index < last ? "one" : "two" } });
  const found = rulesOf(checked({ ...live, isOneWorld: false }, breaking(id), change));
  expect(found).toEqual(id === "page-tokens-from-pages" ? [id] : []);
});

test("a delayed response may show the state before a later lookup", () => {
  const [lookUpBefore, lookUpAfter] = breaking("disclosed-where-assigned");
  const kept = ruleNamed("disclosed-where-assigned")?.examples.kept[0];
  const prepare = kept !== undefined && "exchanges" in kept ? kept.exchanges.at(-1) : undefined;
  if (lookUpBefore === undefined || lookUpAfter === undefined || prepare === undefined) throw new Error("no examples");
  const at = (example: Omit<RuleExample, "name">, startedMs: number, durationMs: number) => ({
    ...exchangeOf(spec, example),
    startedAt: new Date(startedMs).toISOString(),
    durationMs,
  });
  const rulesFound = (durationMs: number) =>
    checkClientRules(spec, [
      at(lookUpAfter, 10, 1),
      at(lookUpBefore, 20 - durationMs, durationMs),
      at(prepare, 30, 1),
    ]).map(({ rule, exchange }) => [rule, exchange]);
  expect([rulesFound(20), rulesFound(1)]).toEqual([[], [["disclosed-where-assigned", 2]]]);
});

test("an error is a warning if exchanges may be missing", () => {
  const severityOf = (isWhole: boolean) =>
    checked({ ...live, isWhole }, breaking("context-used-once")).report().findings[0]?.severity;
  expect([severityOf(true), severityOf(false)]).toEqual(["error", "warning"]);
});

test("checks a recording in the order of time, whatever the order of its entries", () => {
  const exchanges = breaking("submission-id-per-attempt");
  const at = (second: number) => ({ startedAt: `2026-01-01T00:00:0${second}Z` });
  const options = { ...live, order: "by-time" } as const;
  const checker = checked(options, [...exchanges].reverse(), (index) => at(5 - index));
  checker.end();
  // The exchange that was added first is the later attempt.
  expect(checker.report().findings).toMatchObject([{ status: 200, exchange: 0 }]);
});

test("exchanges before a cut do not affect later ones", () => {
  const checker = new ClientChecker(live);
  for (const example of breaking("submission-id-per-attempt")) {
    checker.add(exchangeOf(spec, example));
    checker.cut();
  }
  expect(rulesOf(checker)).toEqual([]);
});

test("counts findings of one kind, and limits the number of kinds", () => {
  const [page] = breaking("debug-fields-stay-behind");
  if (page === undefined) throw new Error("no example");
  const { findings } = checked(live, [page, page, page]).report();
  expect(findings).toMatchObject([{ rule: "debug-fields-stay-behind", count: 3, exchange: 0 }]);
  const [finding] = findings;
  if (finding === undefined) throw new Error("no finding");
  const kinds = new CountedFindings();
  for (let index = 0; index < findingKindsMax + 2; index += 1) kinds.add({ kind: `kind ${index}`, shown: finding });
  expect([kinds.list().length, kinds.dropped]).toEqual([findingKindsMax, 2]);
});

test("only the first finding of a kind is shown; a listener can show the others", () => {
  const [page] = breaking("debug-fields-stay-behind");
  if (page === undefined) throw new Error("no example");
  const found: FoundFinding[] = [];
  const checker = checked({ ...live, onFinding: (each) => found.push(each) }, [page, page, page]);
  expect(found.map(({ shown }) => shown.exchange)).toEqual([0, 1, 2]);
  const counted = new CountedFindings();
  const showings: string[] = [];
  for (const { kind, shown } of found)
    counted.add(
      new FoundFinding(kind, () => {
        showings.push(`exchange ${shown.exchange}`);
        return shown;
      }),
    );
  expect(showings).toEqual(["exchange 0"]);
  expect(counted.list()).toEqual(checker.report().findings);
  expect(counted.list()).toMatchObject([{ count: 3, exchange: 0 }]);
});

test("findings contain no secrets", () => {
  const [list] = breaking("token-in-header");
  const [scheme] = breaking("page-tokens-from-pages").slice(1);
  if (list === undefined || scheme === undefined) throw new Error("no example");
  const secret = "s3cr3t-of-alice-0123456789";
  const inQuery = { ...list, target: `/v2/users?access_token=${secret}` };
  const asPageToken = {
    ...scheme,
    target: `/v2/users?pageToken=${secret}`,
    requestHeaders: { Authorization: `Bearer ${secret}` },
  };
  const checker = checked(live, [inQuery, asPageToken]);
  expect(rulesOf(checker)).toEqual(["token-in-header", "page-tokens-from-pages"]);
  expect(JSON.stringify(checker.report())).not.toContain(secret);
});

test.each([
  ["Basic YTpi", "the scheme Basic"],
  ["NTLMv2 abc", "the scheme NTLMv2"],
  ["eyJh.eyJi.c", "a header without a scheme"],
])("a finding on the header %j names only its scheme", (authorization, actual) => {
  const [list] = breaking("token-in-header");
  if (list === undefined) throw new Error("no example");
  const checker = checked(live, [{ ...list, target: "/v2/users", requestHeaders: { Authorization: authorization } }]);
  expect(checker.report().findings.map((finding) => finding.actual)).toEqual([actual]);
});

test("a rule that throws yields no finding, and the other rules still apply", () => {
  const fails = ruleNamed("grant-names-its-user");
  const watches = ruleNamed("submission-id-per-attempt");
  if (fails?.type !== "exchange" || watches?.type !== "trace") throw new Error("no such rules");
  const [check, watch] = [vi.spyOn(fails, "check"), vi.spyOn(watches, "watch")];
  const fail = (): never => {
    throw new TypeError("no such member");
  };
  check.mockImplementation(fail);
  watch.mockImplementation(fail);
  const faults: string[] = [];
  const exchanges = [...breaking("grant-names-its-user"), ...breaking("hashing-scheme-as-prepared")];
  const checker = checked({ ...live, onFault: ({ rule }) => faults.push(rule) }, exchanges);
  check.mockRestore();
  watch.mockRestore();
  expect(rulesOf(checker)).toEqual(["hashing-scheme-as-prepared"]);
  expect(checker.report().faults).toEqual([
    { rule: "grant-names-its-user", count: 1, problem: "TypeError: no such member" },
    { rule: "submission-id-per-attempt", count: 1, problem: "TypeError: no such member" },
  ]);
  expect(faults).toEqual(["grant-names-its-user", "submission-id-per-attempt"]);
});
