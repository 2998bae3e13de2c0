import { expect, test } from "vitest";
import { exchangeOf as exchangeOfExample } from "../../../test/_example-exchange.ts";
import { exchangeOf, type GivenExchange } from "../../../test/_exchange.ts";
import type { Exchange } from "../../foundation/http/exchange.ts";
import { charsetIn, type HeaderList, headerValue } from "../../foundation/http/header.ts";
import { routeOf } from "../../foundation/spec/route-of.ts";
import { impliedRegistryProfile, loadSpec } from "../../foundation/spec/spec.ts";
import { rules } from "../rules/index.ts";
import { createExchangeReader } from "../rules/read-exchange.ts";
import type { ExchangeContext, RuleExample } from "../rules/rule.ts";
import { checkTrace } from "./checker.ts";
import { comparedHeaders, EqualExchanges, exchangeCharactersMax, rememberedCharactersMax } from "./equal-exchanges.ts";

const recorded = (given: GivenExchange = {}): Exchange => exchangeOf({ method: "GET", responseBody: "{}", ...given });

/** For each exchange, whether it was checked or took an earlier result. */
function checkedOf(exchanges: readonly Exchange[]): readonly string[] {
  const equal = new EqualExchanges<number>();
  const seen: string[] = [];
  for (const [index, exchange] of exchanges.entries())
    equal.outcomeOf(
      exchange,
      () => {
        seen.push(`${index} checked`);
        return index;
      },
      (before) => {
        seen.push(`${index} as ${before}`);
        return before;
      },
    );
  return seen;
}

test("checks a polled exchange twice, and again when its response changes", () => {
  const [same, other] = [recorded(), recorded({ responseBody: "[]" })];
  expect(checkedOf([same, same, same, other, other, same])).toEqual([
    "0 checked",
    "1 checked",
    "2 as 1",
    "3 checked",
    "4 as 3",
    "5 checked",
  ]);
});

const json = ["Content-Type", "application/json"] as const;

test.each<[string, GivenExchange]>([
  ["target", { target: "/v2/idps" }],
  ["request", { body: "{}" }],
  ["status", { status: 201 }],
  ["media type", { responseHeaders: [["Content-Type", "text/plain"]] }],
  ["charset", { responseHeaders: [["Content-Type", "application/json; charset=utf-8"]] }],
  ["response", { responseBody: "[]" }],
  ["Content-Length", { responseHeaders: [json, ["Content-Length", "3"]] }],
  ["Content-Encoding", { responseHeaders: [json, ["Content-Encoding", "gzip"]] }],
  ["Accept-Encoding", { headers: [["Accept-Encoding", "br"]] }],
  ["Authorization", { headers: [["Authorization", "Bearer other"]] }],
])("exchanges with another %s are different", (_, parts) => {
  const last = checkedOf([recorded(), recorded(), recorded(parts)]).at(-1);
  expect(last).toBe("2 checked");
});

test("two headers of a name are not one header with a comma", () => {
  const two = recorded({
    headers: [
      ["Authorization", "Bearer a"],
      ["Authorization", "Bearer b"],
    ],
  });
  const one = recorded({ headers: [["Authorization", "Bearer a,Bearer b"]] });
  expect(checkedOf([two, two, one]).at(-1)).toBe("2 checked");
  const [none, empty] = [recorded({ headers: [] }), recorded({ headers: [["Authorization", ""]] })];
  expect(checkedOf([none, none, empty]).at(-1)).toBe("2 checked");
});

test("exchanges with another time are equal", () => {
  const later = recorded({ startedAt: "2026-01-02T00:00:00Z" });
  expect(checkedOf([recorded(), recorded(), later]).at(-1)).toBe("2 as 1");
});

test("a response that replaces another one to the same request takes no more room than it", () => {
  const same = recorded();
  const changing = (place: number) =>
    recorded({ target: "/v2/idps", responseBody: String(place).padEnd(exchangeCharactersMax - 1000, "x") });
  const places = Array.from({ length: (3 * rememberedCharactersMax) / exchangeCharactersMax }, (_, place) => place);
  expect(checkedOf([same, same, ...places.map(changing), same]).at(-1)).toMatch(/as 1$/);
});

test("evicts exchanges that do not repeat, and does not cache large ones", () => {
  const large = (place: number) => recorded({ body: String(place).padEnd(exchangeCharactersMax - 100, "x") });
  const others = (many: number) =>
    Array.from({ length: (many * rememberedCharactersMax) / exchangeCharactersMax + 1 }, (_, place) => large(place));
  const same = recorded();
  expect(checkedOf([same, same, ...others(1), same]).at(-1)).toMatch(/as 1$/);
  expect(checkedOf([same, same, ...others(1), same, ...others(1), same]).at(-1)).toMatch(/as 1$/);
  expect(checkedOf([same, same, ...others(2.5), same]).at(-1)).toMatch(/checked/);
  const huge = recorded({ responseBody: "x".repeat(exchangeCharactersMax) });
  expect(checkedOf([huge, huge, huge]).at(-1)).toBe("2 checked");
});

test("a cached result counts like a checked one", () => {
  const spec = loadSpec({ ledger: "canton-3.5", registry: "splice-0.7" });
  const token: HeaderList = [["Authorization", "Bearer any"]];
  const bodies = ['{"users":[{"id":5}]}', '{"users":[],"nextPageToken":""}', "[]"];
  const exchanges = [0, 1, 2, 3].flatMap((round) =>
    bodies.map((responded, index) =>
      recorded({ responseBody: responded, target: `/v2/users?pageSize=${index}`, headers: round < 3 ? [] : token }),
    ),
  );
  const summaryOf = (context: { readonly context?: ExchangeContext }) =>
    checkTrace(
      exchanges.map((exchange) => ({ exchange, ...context })),
      { spec },
    ).summary();
  // An exchange with a context is never compared with others.
  const each = summaryOf({ context: {} });
  expect(each.violations).not.toEqual([]);
  expect(summaryOf({})).toEqual(each);
});

const examples = rules.flatMap((rule) =>
  rule.type === "trace" ? [] : [...rule.examples.kept, ...rule.examples.broken].map((example) => ({ rule, example })),
);

test.each(examples)(
  "$rule.id gives the same result for $example.name without times and headers that are not compared",
  ({ rule, example }) => {
    const ledger = rule.examplesIn ?? "spec";
    const spec = loadSpec({ ledger, registry: impliedRegistryProfile(ledger) }, { hasAdditionalOperations: true });
    const exchange = withComparedHeadersOnly(exchangeOfExample(spec, example));
    const route = routeOf(spec, exchange.request);
    if (route === undefined) throw new Error(`no operation for ${example.target}`);
    const { context = {} } = example;
    const checked = {
      ...createExchangeReader(spec)(exchange, route, { context }),
      mediaType: typeOf(example),
      charset: charsetIn(headerValue(labelOf(example), "content-type") ?? ""),
    };
    const isBroken = rule.examples.broken.includes(example);
    expect(rule.appliesTo(checked) && rule.check(checked).length > 0).toBe(isBroken);
  },
);

function labelOf({ contentType = "application/json" }: Omit<RuleExample, "name">): HeaderList {
  return [["Content-Type", contentType]];
}

function typeOf({ contentType = "application/json", status }: Omit<RuleExample, "name">): string | undefined {
  return status === 0 ? undefined : contentType.split(";")[0];
}

/** The exchange without its times and the headers that make no difference between equal exchanges. */
function withComparedHeadersOnly({ request, response }: Exchange): Exchange {
  const headers = request.headers.filter(([name]) => comparedHeaders.includes(name.toLowerCase()));
  const without = response.type === "broken" ? response : { ...response, headers: [] };
  return { startedAt: "", durationMs: Number.NaN, request: { ...request, headers }, response: without };
}
