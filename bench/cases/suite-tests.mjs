// The tests of test-suite.ts, in the way that SUITE names: `empty`, `understudy` (a fork each) or `msw` (handlers written by
// hand). Writes the times at which the tests ended to the file TIMES, in milliseconds after vitest's own start.
import { writeFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";

const begunMs = performance.now();
const suites = { empty, understudy, msw };
const define = await suites[process.env.SUITE]();
const endsMs = [];

for (let index = 0; index < Number(process.env.TESTS); index += 1)
  define(`test ${index}`, index, () => endsMs.push(performance.now() - begunMs));
afterAll(() => writeFileSync(process.env.TIMES, JSON.stringify(endsMs)));

function empty() {
  return (name, _index, ended) => test(name, () => ended());
}

async function understudy() {
  const library = await import("canton-understudy/vitest");
  return (name, index, ended) =>
    library.test(name, async ({ understudy: stub }) => {
      await grantRight(stub.ledgerUrl, index);
      ended();
    });
}

/** The handlers keep the rights of users, and check nothing. */
async function msw() {
  const [{ http, HttpResponse }, { setupServer }] = await Promise.all([import("msw"), import("msw/node")]);
  const url = "http://ledger.test";
  const users = ["alice", "bob", "carol", "dave"].map((id) => ({ id, primaryParty: `${id}::1220ab` }));
  const rights = new Map();
  const server = setupServer(
    http.get(`${url}/v2/users`, () => HttpResponse.json({ users, nextPageToken: "" })),
    http.post(`${url}/v2/users/:user/rights`, async ({ params, request }) => {
      const granted = (await request.json()).rights;
      rights.set(params.user, [...(rights.get(params.user) ?? []), ...granted]);
      return HttpResponse.json({ newlyGrantedRights: granted });
    }),
  );
  beforeAll(() => server.listen({ onUnhandledRequest: "error" }));
  afterEach(() => rights.clear());
  afterAll(() => server.close());
  return (name, index, ended) =>
    test(name, async () => {
      await grantRight(url, index);
      ended();
    });
}

/** Lists the users, and grants one of them a right. */
async function grantRight(url, index) {
  const headers = { Authorization: "Bearer any", "Content-Type": "application/json" };
  const page = await (await fetch(`${url}/v2/users`, { headers })).json();
  const users = page.users.filter(({ identityProviderId = "" }) => identityProviderId === "");
  const user = users[index % users.length].id;
  const right = { kind: { CanReadAs: { value: { party: users[0].primaryParty } } } };
  const body = JSON.stringify({ userId: user, identityProviderId: "", rights: [right] });
  const granted = await fetch(`${url}/v2/users/${user}/rights`, { method: "POST", headers, body });
  expect(granted.status).toBe(200);
  expect((await granted.json()).newlyGrantedRights).toBeDefined();
}
