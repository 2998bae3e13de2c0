import { expect, test } from "vitest";
import { type Api, contracts, type Profile } from "../../../foundation/spec/contracts.ts";
import { operationsOf } from "../../../foundation/spec/operation.ts";
import { loadSpec } from "../../../foundation/spec/spec.ts";
import { releaseDifferences } from "./release-differences.ts";

function profile(name: string): Profile {
  const found = contracts.profiles.find((candidate) => candidate.name === name);
  if (found === undefined) throw new Error(`no profile ${name}`);
  return found;
}

function textsOf(from: string, to: string, operation: string, api: Api = "ledger"): readonly string[] {
  return releaseDifferences(profile(from), profile(to), api)
    .filter((change) => change.operation === operation)
    .map(({ effect, text }) => `${effect}: ${text}`);
}

test("every switch of a release has a sentence for both directions, about operations that exist", () => {
  const switches = contracts.profiles.flatMap(({ behaviour, registryBehaviour }) =>
    Object.keys({ ...behaviour, ...registryBehaviour }),
  );
  expect(Object.keys(contracts.releaseDifferences).sort()).toEqual([...new Set([...switches, "bodyBytesMax"])].sort());
  const { descriptions } = loadSpec(
    { ledger: "canton-3.6", registry: "splice-0.7" },
    { hasAdditionalOperations: true },
  );
  const operations = [
    ...operationsOf("ledger", descriptions.ledger),
    ...operationsOf("registry", descriptions.registry),
  ];
  const ids = operations.map(({ operationId }) => operationId);
  const named = Object.values(contracts.releaseDifferences).flatMap(({ operations }) => operations);
  expect(named.filter((id) => id !== "*" && !ids.includes(id))).toEqual([]);
});

test("every member or query parameter that a release lacks is described for a later release", () => {
  const schemas = new Map(Object.entries(Object(contracts.additionalOperations["components"]).schemas));
  const parameters = operationsOf("ledger", contracts.additionalOperations).flatMap(
    ({ operationId, parameters: known }) => known.map(({ name }) => `${operationId}.${name}`),
  );
  const lacking = contracts.profiles.flatMap(({ lacksMembers = [] }) => lacksMembers);
  const missing = lacking.filter((name) => {
    const [schema = "", member = ""] = name.split(".");
    return Object(schemas.get(schema)).properties?.[member] === undefined && !parameters.includes(name);
  });
  expect([lacking.length > 0, missing]).toEqual([true, []]);
});

test("a disabled endpoint breaks clients, and its divergence is not repeated", () => {
  expect(textsOf("canton-3.5", "canton-3.6", "POST /v2/package-vetting")).toEqual([
    "breaks: Every request is refused with 400 DEPRECATED_API_DISABLED unless the node enables enable-deprecated-endpoints-35. It is deprecated since release 3.5.",
  ]);
  expect(textsOf("canton-3.6", "canton-3.5", "POST /v2/package-vetting")).toEqual([
    "new: Every request is accepted without the feature enable-deprecated-endpoints-35.",
  ]);
  expect(textsOf("canton-3.5", "canton-3.6", "POST /v2/state/active-contracts")).toEqual([
    "breaks: A request with filter is refused with 400 DEPRECATED_API_DISABLED unless the node enables enable-deprecated-parameters-34. It is deprecated since release 3.4.",
  ]);
});

test("switches, limits, operations, members and values have an effect in each direction", () => {
  expect(textsOf("canton-3.5", "canton-3.6", "*")).toEqual([
    "changes: resources of an error name the plain type, such as USER; before, ErrorResource(USER).",
    expect.stringMatching(/^new: Blanks around/),
    expect.stringMatching(/^new: A node that lists party-jwt/),
    expect.stringMatching(/^breaks: The header Request-Timeout is read/),
    "breaks: JSON that is nested deeper than 100 levels is refused with 400.",
    "new: A request body may have 10485760 bytes; before, 8388608.",
  ]);
  expect(textsOf("canton-3.6", "canton-3.5", "*")).toContain(
    "new: JSON may be nested any number of levels deep; before, 100.",
  );
  expect(textsOf("canton-3.6", "canton-3.5", "POST /v2/updates/update-by-hash")).toEqual([
    "breaks: The operation is removed.",
  ]);
  expect(textsOf("canton-3.5", "canton-3.4.12", "POST /v2/parties/external/allocate")).toEqual([
    "breaks: The request has no waitForAllocation any more.",
    "breaks: The request has no userId any more.",
    "breaks: An allocation ignores userId and waitForAllocation: it grants no right. It does not check the identity provider.",
  ]);
  expect(textsOf("canton-3.4.12", "canton-3.5", "GET /v2/state/active-contracts-page")).toEqual([
    "new: New operation. The stub does not serve it.",
  ]);
});

test("a divergence that no switch repeats is named, unless it was about a member that is not required any more", () => {
  expect(textsOf("canton-3.4.11", "canton-3.4.12", "PATCH /v2/users/{user-id}")).not.toContainEqual(
    expect.stringContaining("No longer so"),
  );
  expect(textsOf("spec", "splice-0.7", "*", "registry")).toContainEqual(
    expect.stringMatching(/^changes: Unlike the spec, 405 is text\./),
  );
});
