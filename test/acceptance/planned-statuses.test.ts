import { expect, test } from "vitest";
import { checkExchange } from "../../src/checker/engine/checker.ts";
import { loadSpec } from "../../src/foundation/spec/spec.ts";
import { exchangeOf } from "../_exchange.ts";
import { transferLookup } from "../_transfer.ts";
import { type PlayedProfile, stubOver } from "./_stub.ts";

const ledger = `participantId: p::1220ab
identityProviders: [{ id: corporate, issuer: i, jwksUrl: j }]
synchronizers: [{ alias: a, id: "a::1220ab" }]
`;
const statuses = Array.from({ length: 200 }, (_, index) => 400 + index);
const execution = {
  preparedTransaction: "",
  partySignatures: { signatures: [] },
  deduplicationPeriod: { Empty: {} },
  submissionId: "s",
  hashingSchemeVersion: "HASHING_SCHEME_VERSION_V2",
};

/** Operations of the ledger without and with a body, and one of the registry. */
const calls = [
  { on: "getV2Users", target: "/v2/users", body: undefined },
  { on: "postV2UsersUser-idRights", target: "/v2/users/alice/rights", body: { userId: "alice" } },
  {
    on: "postV2Interactive-submissionExecuteandwait",
    target: "/v2/interactive-submission/executeAndWait",
    body: execution,
  },
  {
    on: "getTransferFactory",
    target: "/registry/transfer-instruction/v2/transfer-factory",
    body: transferLookup("alice::1220ab"),
  },
] as const;

const releases = ["canton-3.4.11", "canton-3.4.12", "canton-3.5", "canton-3.6"] as const;
const profiles: readonly { readonly ledger: PlayedProfile; readonly registry: string }[] = [
  { ledger: "spec", registry: "spec" },
  ...releases.map((name) => ({ ledger: name, registry: "splice-0.7" })),
  { ledger: "canton-3.6", registry: "splice-0.8" },
];

/** Statuses that no real response to such a request has: the check names them, whatever their body is. */
function undeclared(registry: string, on: string): readonly number[] {
  if (on !== "getTransferFactory")
    // A valid request is not refused, and 405 is for another method.
    return [...(on === "getV2Users" ? [400] : []), ...(registry === "spec" ? [] : [405])];
  const declared = registry === "spec" ? [400, 404, 409] : [400, 404, 409, 413, 415, 429, 500, 502, 503];
  return statuses.filter((status) => !declared.includes(status));
}

test.each(profiles)(
  "a planned status without a body passes the check of its profile: $ledger, $registry",
  (profile) => {
    const plan = calls.flatMap(({ on }) =>
      statuses.map((status, index) => `  - { on: ${on}, nth: ${index + 1}, instead: { status: ${status} } }`),
    );
    const given = { ledger, extension: `plan:\n${plan.join("\n")}`, registryProfile: profile.registry };
    const { ask } = stubOver(given, profile.ledger);
    const spec = loadSpec(profile);
    for (const { on, target, body } of calls) {
      const broken = statuses.filter((status) => {
        const response = ask(target, { body });
        expect(response.status).toBe(status);
        const { contentType, text } = response;
        const headers = [["Content-Type", "application/json"] as const, ["Authorization", "Bearer any"] as const];
        const responseHeaders = contentType === undefined ? [] : [["Content-Type", contentType] as const];
        const exchange = exchangeOf({ target, headers, body, status, responseHeaders, responseBody: text });
        const verdict = checkExchange(spec, profile.ledger === "spec" ? "spec" : "release", exchange);
        if (verdict.type !== "checked") throw new Error(`not checked: ${on}`);
        return verdict.results.some(({ outcome }) => outcome === "FAIL" || outcome === "WARN");
      });
      expect(broken, on).toEqual(undeclared(profile.registry, on));
    }
  },
);

test("the error of a status without a code in the catalogue has no category", () => {
  const extension =
    "plan: [{ on: getV2Users, instead: { status: 429 } }, { on: getV2Users, nth: 2, instead: { status: 422 } }]";
  const { ask } = stubOver({ ledger, extension }, "spec");
  const reason = "Planned response of the scenario: 429";
  expect(JSON.parse(ask("/v2/users").text)).toEqual({
    code: reason,
    cause: `RESOURCE_EXHAUSTED: ${reason}`,
    context: {},
    resources: [],
    errorCategory: -1,
    grpcCodeValue: 8,
  });
  expect(JSON.parse(ask("/v2/users").text)).not.toHaveProperty("grpcCodeValue");
});

test.each([
  ["getV2Users", 405, "text/plain; charset=UTF-8", "Method Not Allowed"],
  ["getV2Users", 406, undefined, ""],
  ["getV2Users", 501, "application/json", expect.stringContaining('"cause":"UNIMPLEMENTED: ')],
  ["postV2UsersUser-idRights", 413, "text/plain; charset=UTF-8", "Planned response of the scenario: 413"],
  ["getTransferFactory", 405, "text/plain; charset=UTF-8", "HTTP method not allowed, supported methods: POST"],
  ["getTransferFactory", 429, "text/plain; charset=UTF-8", expect.stringContaining("Server is busy")],
  ["getTransferFactory", 415, "text/plain; charset=UTF-8", expect.stringContaining("is not supported. Expected:")],
])(
  "in the profile of a release, %s with %d has the response of the HTTP layer or the node",
  (on, status, contentType, text) => {
    const { ask } = stubOver(
      { ledger, extension: `plan: [{ on: ${on}, instead: { status: ${status} } }]` },
      "canton-3.5",
    );
    const call = calls.find((each) => each.on === on);
    expect(ask(call?.target ?? "", { body: call?.body })).toEqual({ status, contentType, text });
  },
);
