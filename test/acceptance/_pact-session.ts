// Runs Pact. Its native library writes to the terminal and can hang, so it runs in a process that can be killed:
// node _pact-session.ts consume FOLDER, node _pact-session.ts verify BASE-URL RESULTS FILE…, or
// node _pact-session.ts broker BASE-URL RESULTS BROKER-URL.
import { writeFileSync } from "node:fs";
import { MatchersV3, PactV3, PactV4, SpecificationVersion, Verifier } from "@pact-foundation/pact";

const requestLimitMs = 60_000;

const [mode, place = "", results = "", ...files] = process.argv.slice(2);
if (mode === "consume") await consume(place);
else if (mode === "broker") await verifyFromBroker(place, results, files[0] ?? "");
else await verify(place, results, files);

/** Runs consumer tests with Pact's mock server. The name of a provider says what is wrong with its Pact. */
async function consume(dir: string): Promise<void> {
  const { integer, like, regex } = MatchersV3;
  const bearer = regex(/^Bearer .+$/, "Bearer a-token");
  const json = { "Content-Type": "application/json" };
  const grant = { userId: "alice", rights: [{ kind: { ParticipantAdmin: { value: {} } } }] };

  await inVersion4("green", (pact) =>
    pact
      .addInteraction()
      .given("alice is no administrator")
      .uponReceiving("a grant of a right")
      .withRequest("POST", "/v2/users/alice/rights", (builder) => {
        builder.headers({ Authorization: bearer }).jsonBody(grant);
      })
      .willRespondWith(200, (builder) => {
        builder.jsonBody({ newlyGrantedRights: [{ kind: { ParticipantAdmin: { value: {} } } }] });
      })
      .executeTest((server) => send(server.url, "/v2/users/alice/rights", grant)),
  );
  await inVersion4("green", (pact) =>
    pact
      .addInteraction()
      .given("alice is no administrator")
      .uponReceiving("an invalid page size")
      .withRequest("GET", "/v2/users", (builder) => {
        builder.headers({ Authorization: bearer }).query({ pageSize: "x" });
      })
      .willRespondWith(400, (builder) => {
        builder.body("text/plain", Buffer.from("Invalid value for: query parameter pageSize"));
      })
      .executeTest((server) => send(server.url, "/v2/users?pageSize=x")),
  );
  await inVersion4("wrong-status", (pact) => unknownUser(pact, 201, json, { newlyGrantedRights: [] }));
  await inVersion4("wrong-media-type", (pact) =>
    pact
      .addInteraction()
      .given("alice is no administrator")
      .uponReceiving("an invalid page size")
      .withRequest("GET", "/v2/users", (builder) => {
        builder.headers({ Authorization: bearer }).query({ pageSize: "x" });
      })
      .willRespondWith(400, (builder) => {
        builder.jsonBody({ code: like("INVALID_ARGUMENT") });
      })
      .executeTest((server) => send(server.url, "/v2/users?pageSize=x")),
  );
  await inVersion4("unknown-member", (pact) =>
    pact
      .addInteraction()
      .given("alice is no administrator")
      .uponReceiving("the status of a package")
      .withRequest("GET", "/v2/packages/app/status", (builder) => {
        builder.headers({ Authorization: bearer });
      })
      .willRespondWith(200, (builder) => {
        builder.jsonBody({ packageStatus: like("PACKAGE_STATUS_REGISTERED"), vettedSince: integer(5) });
      })
      .executeTest((server) => send(server.url, "/v2/packages/app/status")),
  );
  await inVersion4("missing-member", (pact) =>
    pact
      .addInteraction()
      .given("alice is no administrator")
      .uponReceiving("a grant that does not name its user")
      .withRequest("POST", "/v2/users/alice/rights", (builder) => {
        builder.headers({ Authorization: bearer }).jsonBody({ rights: grant.rights });
      })
      .willRespondWith(200, (builder) => {
        builder.jsonBody({ newlyGrantedRights: MatchersV3.eachLike({ kind: like({}) }) });
      })
      .executeTest((server) => send(server.url, "/v2/users/alice/rights", { rights: grant.rights })),
  );
  await inVersion4("unknown-state", (pact) =>
    unknownUser(pact, 404, json, { code: like("USER_NOT_FOUND") }, "alice is no adminstrator"),
  );
  for (const [provider, spec] of [
    ["green-v3", SpecificationVersion.SPECIFICATION_VERSION_V3],
    ["green-v2", SpecificationVersion.SPECIFICATION_VERSION_V2],
  ] as const) {
    const pact = new PactV3({ consumer: "wallet", provider, dir, spec, logLevel: "error" });
    pact
      .given("there are twelve users")
      .uponReceiving("a page of users")
      .withRequest({ method: "GET", path: "/v2/users", query: { pageSize: "2" }, headers: { Authorization: bearer } })
      .willRespondWith({ status: 200, headers: json, body: { users: MatchersV3.eachLike({ id: like("alice") }) } });
    await pact.executeTest((server) => send(server.url, "/v2/users?pageSize=2"));
  }

  function inVersion4(provider: string, interact: (pact: PactV4) => Promise<unknown>): Promise<unknown> {
    return interact(new PactV4({ consumer: "wallet", provider, dir, logLevel: "error" }));
  }

  function unknownUser(
    pact: PactV4,
    status: number,
    headers: object,
    body: object,
    state = "alice is no administrator",
  ) {
    return pact
      .addInteraction()
      .given(state)
      .uponReceiving("a grant to an unknown user")
      .withRequest("POST", "/v2/users/unknown/rights", (builder) => {
        builder.headers({ Authorization: bearer }).jsonBody({ userId: "unknown", rights: grant.rights });
      })
      .willRespondWith(status, (builder) => {
        builder.headers({ ...headers }).jsonBody({ ...body });
      })
      .executeTest((server) => send(server.url, "/v2/users/unknown/rights", { ...grant, userId: "unknown" }));
  }
}

async function send(url: string, target: string, body?: object): Promise<void> {
  const headers = {
    Authorization: "Bearer a-token",
    ...(body === undefined ? {} : { "Content-Type": "application/json" }),
  };
  const init = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
  await (await fetch(`${url}${target}`, init)).text();
}

/** Verifies the Pacts of a broker as a provider's build does, publishes the results, and writes whether the build passes. */
async function verifyFromBroker(base: string, out: string, pactBrokerUrl: string): Promise<void> {
  const verifier = new Verifier({
    provider: "canton",
    providerBaseUrl: base,
    pactBrokerUrl,
    consumerVersionSelectors: [{ mainBranch: true }],
    enablePending: true,
    publishVerificationResult: true,
    providerVersion: "canton-3.5",
    providerVersionBranch: "main",
    timeout: requestLimitMs,
    logLevel: "error",
  });
  writeFileSync(out, JSON.stringify(await outcomeOf(verifier)));
}

/** Writes the result of Pact's verifier for each file. */
async function verify(base: string, out: string, pactUrls: readonly string[]): Promise<void> {
  const verdicts: Record<string, string> = {};
  for (const file of pactUrls) {
    const verifier = new Verifier({
      provider: "canton",
      providerBaseUrl: base,
      providerStatesSetupUrl: `${base}/__understudy/provider-states`,
      pactUrls: [file],
      timeout: requestLimitMs,
      logLevel: "error",
    });
    verdicts[file] = await outcomeOf(verifier);
  }
  writeFileSync(out, JSON.stringify(verdicts));
}

function outcomeOf(verifier: Verifier): Promise<string> {
  return verifier.verifyProvider().then(
    () => "green",
    (error: unknown) => `red: ${error instanceof Error ? error.message : String(error)}`,
  );
}
