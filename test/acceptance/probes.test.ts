import { expect, test } from "vitest";
import { probes } from "../../src/checker/probes/index.ts";
import type { Probe } from "../../src/checker/probing/probe.ts";
import { renderViolation } from "../../src/checker/reports/formats/terminal.ts";
import { textResponse } from "../../src/foundation/http/response.ts";
import { app, everything, isOfNodes, type Probing, probe, probedStub, Refused, troubles } from "./_probed.ts";
import { hashOfWorld } from "./_stub.ts";

const reasonsOf = ({ reports }: Probing) =>
  Object.fromEntries(reports.flatMap(({ id, reason }) => (reason === undefined ? [] : [[id, reason]])));
const reachedIn = ({ reports }: Probing) => [...new Set(reports.flatMap(({ reached }) => reached))].sort();

// The deep tests have every release and mode, with fifty seeds.
test.each([
  ["spec", "jwt"],
  ["canton-3.6", "user"],
] as const)(
  "every probe completes against the stub in %s with tokens of mode %s, without findings",
  async (ledger, authentication) => {
    const probing = await probe(await probedStub({ ledger, authentication }), everything);
    expect(troubles(probing).filter(isOfNodes(authentication))).toEqual([]);
    const inMode = authentication === "user" ? ["token-expired"] : [];
    // Release 3.6 disables the operation of this probe.
    const inRelease = ledger === "canton-3.6" ? ["vetting-real-run"] : [];
    expect(Object.keys(reasonsOf(probing))).toEqual([...inMode, ...inRelease]);
  },
);

test("a registry that validates instruments has no findings, and the probes reach its 404", async () => {
  const stub = await probedStub({ scenario: "registry-errors" });
  const probing = await probe({ ...stub, values: {} }, { apis: ["registry"] });
  expect(troubles(probing)).toEqual([]);
  expect(reachedIn(probing)).toEqual(["getTransferFactory 200", "getTransferFactory 400", "getTransferFactory 404"]);
});

const operations = {
  "postV2Interactive-submissionExecuteandwait": [200, 400, 401, 403, 409],
  "patchV2UsersUser-id": [200, 400, 401, 403, 404, 409],
  postV2PartiesExternalAllocate: [200, 400, 401, 403, 404],
  "postV2UsersUser-idRights": [200, 400, 401, 403, 404],
  "getV2PackagesPackage-idStatus": [200, 400, 401],
  getV2Users: [200, 400, 401, 403],
  getV2Idps: [200, 400, 401, 403],
  "postV2Package-vetting": [200, 400, 401, 403, 404],
  getTransferFactory: [200, 400, 409],
};

test("the probes reach every operation in every status that can be provoked", async () => {
  const reached = reachedIn(await probe(await probedStub(), everything));
  const expected = Object.entries(operations).flatMap(([id, statuses]) => statuses.map((status) => `${id} ${status}`));
  expect(reached.filter((pair) => Object.keys(operations).some((id) => pair.startsWith(`${id} `)))).toEqual(
    expected.sort(),
  );
});

test("each probe reaches the statuses that it lists", async () => {
  const [amulet, utility] = [await probedStub(), await probedStub({ scenario: "registry-errors" })];
  const single = await probedStub({ scenario: "paging" });
  const runs = [await probe(amulet, everything), await probe(utility), await probe(single)];
  const missed = probes.flatMap(({ id, reaches }) => {
    const reached = runs.flatMap(({ reports }) => reports.find((report) => report.id === id)?.reached ?? []);
    return reaches.filter((pair) => !reached.includes(pair)).map((pair) => `${id}: ${pair}`);
  });
  expect(missed).toEqual([
    "vetting-refused-dry-run: postV2Package-vetting 400",
    "vetting-refused-real-run: postV2Package-vetting 400",
  ]);
});

test("safe probes change nothing in a world", async () => {
  const stub = await probedStub();
  const before = hashOfWorld(stub.world);
  const probing = await probe(stub);
  expect(probing.created).toEqual([]);
  expect(hashOfWorld(stub.world)).toBe(before);
  expect(probing.requests).toBeGreaterThan(100);
});

function has(table: { entries(): Iterable<readonly [unknown, unknown]> }, id: string): boolean {
  return [...table.entries()].some(([known]) => String(known) === id);
}

test("the report lists everything that the probes create", async () => {
  const stub = await probedStub();
  const { ledger: before } = stub.world.state;
  const { created } = await probe(stub, everything);
  const { ledger: after } = stub.world.state;
  const more = (kind: "users" | "parties" | "updates") =>
    [...after[kind].entries()].map(([id]) => String(id)).filter((id) => !has(before[kind], id));
  const listed = (wanted: string) => created.flatMap(({ kind, id }) => (kind === wanted ? [id] : [])).sort();
  expect(more("users")).toEqual([]);
  expect(listed("user")).toEqual([]);
  expect(more("parties").sort()).toEqual(listed("party"));
  expect(listed("party").every((id) => id.startsWith("understudy-probe-t-"))).toBe(true);
  expect(more("updates")).toHaveLength(2);
  expect(listed("transaction")).toHaveLength(2);
  expect(listed("reassignment of contract")).toHaveLength(1);
  expect(created.length).toBe(listed("party").length + 3);
  const vetted = [...after.synchronizers.values()].map(({ vetted: packages }) => packages.has(app));
  expect(vetted).toEqual([false, false]);
});

test("lists each execution that the target accepts, also where it must refuse", async () => {
  const stub = await probedStub();
  let updates = 0;
  const handler: typeof stub.handler = async () =>
    textResponse(200, "application/json", JSON.stringify({ updateId: `update ${updates++}` }));
  const requested = { allowed: "destructive", only: ["execute-prepared"] } as const;
  const { created } = await probe({ ...stub, handler }, requested);
  // Of the first transaction, three without a valid token, 21 with one error and four valid ones; of the second, 3 and 3.
  expect(created.filter(({ kind }) => kind === "transaction")).toHaveLength(34);
});

test("the same seed sends the same requests", async () => {
  const sent = async () => {
    const stub = await probedStub();
    const bodies: string[] = [];
    const handler: typeof stub.handler = (request) => {
      bodies.push(`${request.target} ${request.body.text()}`);
      return stub.handler(request);
    };
    await probe({ ...stub, handler }, everything);
    return bodies;
  };
  const bodies = await sent();
  expect(await sent()).toEqual(bodies);
  expect(bodies.length).toBeGreaterThan(200);
});

test("skipped probes name the reason and what to supply", async () => {
  const stub = await probedStub();
  const bare = { ...stub, values: {}, hooks: {}, tokens: { administrator: stub.tokens.administrator } };
  const safe = reasonsOf(await probe(bare));
  expect(safe["user-update-masks"]).toBe("changes the target (allow with --writes)");
  expect(safe["execute-prepared"]).toBe("changes the target permanently (allow with --destructive)");
  expect(safe["token-plain"]).toBe(
    "needs plainToken (--target tokens.plain=TOKEN, the token of a user without rights)",
  );
  const all = reasonsOf(await probe(bare, everything));
  expect(all["lookup-reassignment"]).toContain("--target hooks.beginReassignment=COMMAND");
  expect(all["execute-prepared"]).toContain("preparedTransactions in a target file");
  const ledgerOnly = await probe(stub, { apis: ["ledger"] });
  expect(reasonsOf(ledgerOnly)["lookup-offer"]).toContain("needs registry (--registry URL)");
  expect(reachedIn(ledgerOnly).join()).not.toContain("getTransferFactory");
});

test("a target that cannot create users uses the given user, and otherwise the probe ends with the reason", async () => {
  const stub = await probedStub();
  const handler: typeof stub.handler = async (request) =>
    request.method === "POST" && request.target === "/v2/users"
      ? textResponse(404, "text/plain", "no")
      : stub.handler(request);
  const requested = { allowed: "writes", only: ["user-update-stale"] } as const;
  const unnamed = await probe({ ...stub, handler }, requested);
  expect(reasonsOf(unnamed)["user-update-stale"]).toBe(
    "ended early: the target did not create a user (status 404). Name one that may be changed: --target user=ID",
  );
  const named = await probe({ ...stub, handler, values: { ...stub.values, user: "bob" } }, requested);
  expect(named.reports[0]).toMatchObject({ outcome: "run", reason: undefined });
  expect(named.created).toEqual([{ kind: "change of user", id: "bob" }]);
});

test("a failing hook skips its probe, and the undo step still runs", async () => {
  const stub = await probedStub();
  const steps: string[] = [];
  const hook = (name: string, why?: string) => async () => {
    steps.push(name);
    return why;
  };
  const hooks = { beginReassignment: hook("begin", "no such contract"), completeReassignment: hook("complete") };
  const requested = { allowed: "writes", only: ["lookup-reassignment"] } as const;
  const failed = await probe({ ...stub, hooks }, requested);
  expect(failed.reports[0]).toMatchObject({
    outcome: "skipped",
    reason: "the hook beginReassignment failed: no such contract",
  });
  // The reassignment may have begun before the failure.
  expect(steps).toEqual(["begin", "complete"]);
  const broken = { beginReassignment: hook("begin"), completeReassignment: hook("complete") };
  const stops = await probe({ ...stub, hooks: broken }, { ...requested, client: { requestsMax: 1 } });
  expect(steps).toEqual(["begin", "complete", "begin", "complete"]);
  expect(stops.reports[0]?.reason).toContain("the limit of 1 requests was reached");
});

test("requests are sequential, counted and within the rate", async () => {
  const stub = await probedStub();
  let [inFlight, most, now] = [0, 0, 0];
  const startedMs: number[] = [];
  const handler: typeof stub.handler = async (request) => {
    inFlight += 1;
    most = Math.max(most, inFlight);
    startedMs.push(now);
    const response = await stub.handler(request);
    inFlight -= 1;
    return response;
  };
  const client = {
    ratePerSecond: 4,
    requestsMax: 30,
    nowMs: () => now,
    wait: async (durationMs: number) => {
      now += durationMs;
    },
  };
  const probing = await probe({ ...stub, values: { ...stub.values }, handler }, { client });
  const sent = startedMs.slice(-30);
  expect(most).toBe(1);
  expect(probing.requests).toBe(30);
  expect(sent.map((at) => at - (sent[0] ?? 0))).toEqual(sent.map((_, index) => index * 250));
  expect(Object.values(reasonsOf(probing)).join()).toContain("the limit of 30 requests was reached");
});

test("every request names the tool, and only ledger requests have a token", async () => {
  const stub = await probedStub();
  const seen: { readonly target: string; readonly names: readonly string[] }[] = [];
  const handler: typeof stub.handler = (request) => {
    seen.push({ target: request.target, names: request.headers.map(([name]) => name) });
    return stub.handler(request);
  };
  await probe({ ...stub, handler }, { ...everything, client: { userAgent: "canton-understudy/1 (check)" } });
  const probed = seen.filter(({ names }) => names.includes("User-Agent"));
  expect(probed.length).toBeGreaterThan(200);
  const lookups = probed.filter(({ target }) => target.startsWith("/registry/"));
  expect(lookups.filter(({ names }) => names.includes("Authorization"))).toEqual([]);
});

test.each([
  ["404 for everything", 50, [], async () => textResponse(404, "application/json", "{}")],
  ["HTML for everything", 50, Array(12).fill("transaction"), async () => textResponse(200, "text/html", "<html>")],
  // The target is skipped after three failures in a row.
  ["resets", 2, [], async () => ({ type: "broken", kind: "reset" }) as const],
])("a target that responds with %s is checked and fails", async (_, more, created, handler) => {
  const probing = await probe({ ...(await probedStub()), handler }, everything);
  expect(probing.summary.failed).toBeGreaterThan(more);
  expect(probing.created.map(({ kind }) => kind)).toEqual(created);
});

test("a hanging target gets three requests, and its other probes are skipped", async () => {
  const handler = async () => ({ type: "broken", kind: "timed-out" }) as const;
  const probing = await probe({ ...(await probedStub()), handler }, { apis: ["ledger"] });
  expect(probing.requests).toBe(3);
  expect(probing.summary.incompleteResponses).toBe(3);
  expect(Object.values(reasonsOf(probing))).toContain("the ledger no longer responds");
});

test("a hanging operation gets one request, and the other operations are checked", async () => {
  const stub = await probedStub();
  let requested = 0;
  const handler: typeof stub.handler = async (request) => {
    if (request.target !== "/v2/idps") return stub.handler(request);
    requested += 1;
    return { type: "broken", kind: "timed-out" };
  };
  const probing = await probe({ ...stub, handler });
  expect(requested).toBe(1);
  expect(troubles(probing)).toEqual([{ fingerprint: "complete-response getV2Idps 0 - timed-out", outcome: "FAIL" }]);
  expect(Object.values(reasonsOf(probing))).toContain("ended early: getV2Idps timed out before");
});

test("a target that stops is a finding, and gets no request after three attempts", async () => {
  const stub = await probedStub();
  let count = 0;
  const handler: typeof stub.handler = async (request) => {
    count += 1;
    if (count > 40) throw new Refused();
    return stub.handler(request);
  };
  const probing = await probe({ ...stub, handler }, { apis: ["ledger"] });
  expect(count).toBe(43);
  expect(probing.summary.incompleteResponses).toBe(3);
  expect(probing.summary.failed).toBe(3);
});

test("a target that sends Retry-After is checked by its later response", async () => {
  const stub = await probedStub();
  let count = 0;
  const handler: typeof stub.handler = async (request) => {
    count += 1;
    if (count % 5 !== 0) return stub.handler(request);
    return { ...textResponse(429, "text/html", "<html>"), headers: [["Retry-After", "1"]] };
  };
  const probing = await probe({ ...stub, handler }, { ...everything, client: { requestsMax: 1000 } });
  expect(troubles(probing)).toEqual([]);
  const reached = reachedIn(probing);
  expect(reached.length).toBeGreaterThan(30);
  expect(reached.filter((pair) => pair.endsWith("429"))).toEqual([]);
});

test("a busy target is skipped, with the reason", async () => {
  const handler = async () =>
    ({ ...textResponse(429, "text/html", "<html>"), headers: [["Retry-After", "3600"]] }) as const;
  const probing = await probe({ ...(await probedStub()), handler }, { apis: ["ledger"] });
  expect(probing.requests).toBe(1);
  expect(probing.summary.exchanges).toBe(0);
  expect(Object.values(reasonsOf(probing)).join()).toContain("the ledger is busy: it returned 429");
});

test("a finding names its probe and the kind of token", async () => {
  const stub = await probedStub();
  const handler: typeof stub.handler = async (request) => {
    const response = await stub.handler(request);
    const isRefused = response.type === "response" && response.status === 401;
    return isRefused ? textResponse(200, "application/json", "{}") : response;
  };
  const { summary } = await probe({ ...stub, handler }, { only: ["token-expired", "token-invalid"] });
  const found = (probed: string) => summary.violations.filter((violation) => violation.probe === probed);
  expect(found("token-expired").some(({ curl }) => curl.includes('"Authorization: Bearer $EXPIRED_TOKEN"'))).toBe(true);
  const invalid = await probe({ ...stub, handler }, { only: ["token-invalid"] });
  const [first] = invalid.summary.violations.filter(({ curl }) =>
    curl.includes('"Authorization: Bearer $INVALID_TOKEN"'),
  );
  expect(first).toMatchObject({ probe: "token-invalid" });
  if (first === undefined) throw new Error("a finding");
  expect(renderViolation(invalid.summary, [first], false)).toContain("  probe     token-invalid");
});

test.each([
  ["token-forged", "no signature", (value: string) => value.startsWith("Bearer eyJ"), "$INVALID_TOKEN"],
  ["token-basic", "no scheme", (value: string) => value.startsWith("Basic "), "Basic $CREDENTIALS"],
])("%s finds a target that checks %s", async (id, _, isTaken, curl) => {
  const stub = await probedStub();
  const handler: typeof stub.handler = (request) => {
    const isBad = request.headers.some(([name, value]) => name === "Authorization" && isTaken(value));
    const own = ["Authorization", `Bearer ${stub.tokens.administrator}`] as const;
    return stub.handler(isBad ? { ...request, headers: [own] } : request);
  };
  const { summary } = await probe({ ...stub, handler }, { only: [id] });
  const failed = summary.violations.filter(({ outcome }) => outcome === "FAIL");
  expect(failed.map(({ rule, probe: by }) => [rule, by])).toContainEqual(["token-required", id]);
  expect(failed.find(({ rule }) => rule === "token-required")?.curl).toContain(curl);
  expect(troubles(await probe(stub, { only: [id] }))).toEqual([]);
});

test("an interruption takes effect before the next request", async () => {
  const stub = await probedStub();
  let count = 0;
  const handler: typeof stub.handler = (request) => {
    count += 1;
    return stub.handler(request);
  };
  const probing = await probe({ ...stub, handler }, { client: { isStopped: () => count >= 30 } });
  expect(count).toBe(30);
  expect(Object.values(reasonsOf(probing))).toContain("ended early: interrupted");
  expect(probing.reports.at(-1)).toMatchObject({ outcome: "skipped", reason: "interrupted" });
});

test("a bug in a probe does not count as a violation of the target", async () => {
  const wrong: Probe = {
    id: "wrong",
    summary: "",
    section: "",
    safety: "safe",
    needs: [],
    reaches: [],
    run: async ({ need }) => void need("preapprovedReceiver"),
  };
  const stub = { ...(await probedStub()), values: {} };
  await expect(probe(stub, { probes: [wrong] })).rejects.toThrow("invariant");
});
