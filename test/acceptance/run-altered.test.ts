import { expect, test } from "vitest";
import { Body } from "../../src/foundation/http/body.ts";
import { sampleOf } from "../_sample.ts";
import {
  expectFailureWhenAltered,
  type Fault,
  load,
  runAgainst,
  runs,
  serveAltered,
  textOf,
} from "./_altered-responses.ts";

test.each(sampleOf(runs, 4))("%s in %s fails if any one response is altered", (file, ledger) =>
  expectFailureWhenAltered(file, ledger),
);

test("a valid response with another value fails the scenario, and the report names the place", async () => {
  const withoutFirst: Fault = (response) => {
    const { users, ...others } = JSON.parse(textOf(response));
    return { ...response, body: new Body(JSON.stringify({ users: users.slice(1), ...others })) };
  };
  const { server } = await serveAltered(load("quickstart.arazzo.yaml"), "spec", 1, withoutFirst);
  const { exitCode, out } = await runAgainst("quickstart.arazzo.yaml", "spec", server.url);
  await server.close();
  expect(exitCode).toBe(1);
  expect(out).toContain("FAIL step-criterion: list-users: $response.body#/users/0/id == 'alice' does not hold");
  expect(out).toContain("at        /users/0/id");
});

test("control characters from a target do not reach the terminal", async () => {
  const evil: Fault = (response) => ({ ...response, body: new Body('{"users":"\\u009b31mEVIL\\u202e"}') });
  const { server } = await serveAltered(load("quickstart.arazzo.yaml"), "spec", 1, evil);
  const { out } = await runAgainst("quickstart.arazzo.yaml", "spec", server.url);
  await server.close();
  expect(out).toContain("EVIL");
  expect(out).not.toMatch(/[\u009b\u202e]/);
});
