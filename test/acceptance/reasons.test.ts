import { expect, test } from "vitest";
import { createUnderstudy } from "../../src/index.ts";

const additional = "/v2/state/ledger-end";
const unserved = "/v2/interactive-submission/preferred-package-version";

test.each([
  [true, additional, `not served: GET ${additional} is an additional operation, and --spec-only turns those off`],
  [true, unserved, `not supported by Understudy: GET ${unserved} (docs/reference/supported-endpoints.md)`],
  [false, unserved, `not supported by Understudy: GET ${unserved} (docs/reference/supported-endpoints.md)`],
])("with specOnly %s, the reason for GET %s is right", async (specOnly, path, reason) => {
  const response = await createUnderstudy({ specOnly, profile: "canton-3.5" }).fetch(path, {
    headers: { Authorization: "Bearer any" },
  });
  expect(response.status).toBe(404);
  expect(response.headers.get("Understudy-Reason")).toBe(reason);
});

test.each([
  ["pageSize=abc", '"abc" is not an integer of 32 bits'],
  ["pageSize=1&pageSize=2", "it is sent 2 times"],
])(
  "the reason says what is wrong with the query %s, the response only as much as that of a node",
  async (query, what) => {
    const response = await createUnderstudy().fetch(`/v2/users?${query}`, { headers: { Authorization: "Bearer any" } });
    expect(await response.text()).toBe("Invalid value for: query parameter pageSize");
    expect(response.headers.get("Understudy-Reason")).toBe(`Invalid value for: query parameter pageSize: ${what}`);
  },
);

const form = "application/x-www-form-urlencoded";

test.each([
  ["a form", form, "userId=alice", `: the body is a form (${form}). Send JSON`],
  ["no body", "application/json", "", ": the request has no body"],
  ["malformed JSON that curl declares a form", form, '{"userId":', ""],
  ["malformed JSON", "application/json", "userId=alice", ""],
])("the reason after a body that cannot be read says what it is: %s", async (_what, type, body, explanation) => {
  const headers = { Authorization: "Bearer any", "Content-Type": type };
  const response = await createUnderstudy().fetch("/v2/users/alice/rights", { method: "POST", headers, body });
  expect(response.status).toBe(400);
  expect(response.headers.get("Understudy-Reason")).toBe(`${await response.text()}${explanation}`);
});
