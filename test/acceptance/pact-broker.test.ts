import { expect, test } from "vitest";
import { understudy } from "./_command-line.ts";
import { fakeBroker, pactWithStatus } from "./_pact-broker.ts";

const verification = "/pacts/provider/canton/consumer/wallet/pact-version/1";

test("pact check --broker reads the Pacts that the selectors choose", async () => {
  const broker = await fakeBroker(pactWithStatus(200));
  const { exitCode, out } = await understudy([
    "pact",
    "check",
    "--broker",
    broker.url,
    "--selector",
    '{"mainBranch":true}',
  ]);
  expect([exitCode, out]).toEqual([0, expect.stringContaining("wallet relies on canton (Pact V4)")]);
  expect(broker.received).toEqual([
    {
      request: "POST /pacts/provider/canton/for-verification",
      body: { consumerVersionSelectors: [{ mainBranch: true }] },
    },
  ]);
});

test.each([
  ["success", 200, 0],
  ["failure", 204, 1],
])(
  "pact check --publish publishes the %s of a Pact, and the branch of the provider version",
  async (_, status, code) => {
    const broker = await fakeBroker(pactWithStatus(status));
    const words = [
      "--broker",
      broker.url,
      "--publish",
      "canton-3.5",
      "--branch",
      "main",
      "--build-url",
      "https://ci.example.com/1",
    ];
    const { exitCode, out } = await understudy(["pact", "check", ...words]);
    expect(exitCode).toBe(code);
    expect(broker.received.slice(1)).toEqual([
      { request: "PUT /pacticipants/canton/branches/main/versions/canton-3.5", body: {} },
      {
        request: `POST ${verification}/verification-results`,
        body: {
          success: status === 200,
          providerApplicationVersion: "canton-3.5",
          buildUrl: "https://ci.example.com/1",
          verifiedBy: { implementation: "canton-understudy", version: expect.any(String) },
        },
      },
    ]);
    expect(out).toContain(`published ${broker.url}${verification} for version canton-3.5`);
  },
);

test("a contradiction in a pending Pact does not fail pact check, and is published", async () => {
  const broker = await fakeBroker(pactWithStatus(204), { isPending: true });
  const words = ["--broker", broker.url, "--branch", "main", "--enable-pending"];
  const { exitCode, out } = await understudy([
    "pact",
    "check",
    ...words,
    "--include-wip-pacts-since",
    "2026-01-31",
    "--publish",
    "canton-3.5",
  ]);
  expect([exitCode, out]).toEqual([0, expect.stringContaining("(Pact V4), pending, checked against")]);
  expect(out).toContain("1 interaction: 0 fine, 1 in pending Pacts, which cannot fail the check");
  expect(broker.received[0]?.body).toEqual({
    consumerVersionSelectors: [],
    includePendingStatus: true,
    includeWipPactsSince: "2026-01-31",
    providerVersionBranch: "main",
  });
  expect(broker.received.at(-1)?.body).toMatchObject({ success: false });
  const failing = await fakeBroker(pactWithStatus(204));
  const failed = await understudy(["pact", "check", "--broker", failing.url, ...words.slice(2)]);
  expect([failed.exitCode, failed.out]).toEqual([1, expect.stringContaining("1 contradicts the spec")]);
});

test("pact check publishes nothing without --publish", async () => {
  const broker = await fakeBroker(pactWithStatus(200));
  expect((await understudy(["pact", "check", "--broker", broker.url])).exitCode).toBe(0);
  expect(broker.received.map(({ request }) => request)).toEqual(["POST /pacts/provider/canton/for-verification"]);
});

test.each([
  ["a token in the environment", "Bearer s3cret-token", { PACT_BROKER_TOKEN: "s3cret-token" }],
  ["user and password", "Basic dXNlcjpzM2NyZXQ=", { PACT_BROKER_USERNAME: "user", PACT_BROKER_PASSWORD: "s3cret" }],
])("pact check --broker sends %s, and never prints it", async (_, authorization, variables) => {
  const broker = await fakeBroker(pactWithStatus(200), { authorization });
  const accepted = await understudy(["pact", "check", "--broker", broker.url], { variables });
  expect([accepted.exitCode, `${accepted.out}${accepted.error}`.includes("s3cret")]).toEqual([0, false]);
  const refusing = await fakeBroker(pactWithStatus(200), { authorization: "Bearer another" });
  const refused = await understudy(["pact", "check", "--broker", refusing.url], { variables });
  expect([refused.exitCode, refused.error]).toEqual([2, expect.stringContaining("responded 401 to GET /")]);
  expect(refused.error).not.toContain("s3cret");
});

test("pact check --broker follows no link to another origin, so that credentials stay with the broker", async () => {
  const other = await fakeBroker(pactWithStatus(200));
  const broker = await fakeBroker(pactWithStatus(200), { linksTo: other.url });
  const { exitCode, error } = await understudy(["pact", "check", "--broker", broker.url], {
    variables: { PACT_BROKER_TOKEN: "s3cret-token" },
  });
  expect([exitCode, error]).toEqual([2, expect.stringContaining("links to another origin")]);
  expect(other.received).toEqual([]);
});

test.each([
  ["files and a broker", ["a.json", "--broker", "URL"], "takes files or --broker, not both"],
  ["a flag of a broker without one", ["a.json", "--publish", "1"], "--publish applies to Pacts from a broker"],
  ["a branch without a version", ["--broker", "URL", "--branch", "main"], "--branch has no effect without --publish"],
  ["pending Pacts of no branch", ["--broker", "URL", "--enable-pending"], "--enable-pending needs --branch NAME"],
  [
    "a date that is not one",
    ["--broker", "URL", "--enable-pending", "--branch", "main", "--include-wip-pacts-since", "May"],
    "--include-wip-pacts-since May: not a date",
  ],
  ["a selector that is not an object", ["--broker", "URL", "--selector", "main"], "--selector main: not a JSON object"],
])("pact check refuses %s", async (_, words, message) => {
  const { url } = await fakeBroker(pactWithStatus(200));
  const { exitCode, error } = await understudy([
    "pact",
    "check",
    ...words.map((word) => (word === "URL" ? url : word)),
  ]);
  expect([exitCode, error]).toEqual([2, expect.stringContaining(message)]);
});
