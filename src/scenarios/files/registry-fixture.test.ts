import { expect, test } from "vitest";
import { formatProblem, problemsMax } from "./problem.ts";
import { readFixture } from "./read-fixture.ts";

const registry = (payload: string) => `admin: dso::1220ab
factory: { contract: factory, context: [] }
contracts:
  - { name: factory, templateId: "${"a".repeat(64)}:M:T", packageName: app, createdAt: 2026-01-01T00:00:00Z, synchronizer: "a::1220ab", payload: ${payload} }
`;

function problemsIn(text: string): readonly string[] {
  const { problems } = readFixture("registry", "registry.yaml", { read: () => text, resolve: (_, path) => path });
  return problems.map(formatProblem);
}

test.each([
  ["{ amount: 1e29 }", "the value is not a 64-bit integer"],
  ["{ amount: 1e-4 }", undefined],
  ["{ amount: .nan }", "the value is not a decimal"],
  ["{ amount: '99999999999999999999999999999.0' }", "the value is not a decimal below 10^28"],
  [`${"{ a: ".repeat(91)}1${" }".repeat(91)}`, "the value is not a value of at most 90 levels"],
])("reports the value in the payload %j that no contract can hold", (payload, problem) => {
  const said =
    problem === undefined
      ? []
      : [expect.stringContaining(`contracts.0.payload is not a valid contract payload: ${problem}`)];
  expect(problemsIn(registry(payload))).toEqual(said);
});

test("reports the first of many unknown contracts and counts the others", () => {
  const receivers = Array.from({ length: problemsMax + 10 }, (_, n) => `{ receiver: "r${n}::1220ab", contract: none }`);
  const problems = problemsIn(`${registry("{}")}preapprovals: [${receivers.join(", ")}]`);
  expect([problems.length, problems.at(-1)]).toEqual([problemsMax + 1, expect.stringMatching(/: 10 more problems/)]);
});

test("accepts a prepared transaction of many characters, and only base64", () => {
  const withValue = (value: string) =>
    problemsIn(`${registry("{}")}preparedTransactions: [{ value: ${value}, actAs: ["a::1220ab"], commandId: c }]`);
  expect(withValue("CgMy".repeat(2_000_000))).toEqual([]);
  expect([withValue("CgMyLjESAQ=="), withValue("CgMyLjESAQI=")]).toEqual([[], []]);
  for (const value of ["CgMyL", "CgMyLjESAQ", "CgMyLjESAQ=", "CgM_"])
    expect(withValue(value)).toEqual([expect.stringContaining("preparedTransactions.0.value")]);
});
