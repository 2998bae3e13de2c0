import { expect, test } from "vitest";
import { Body } from "../../src/foundation/http/body.ts";
import { sampleOf } from "../_sample.ts";
import { expectRedWhenSpoilt, type Fault, load, runAgainst, runs, serveSpoilt, textOf } from "./_spoilt.ts";

test.each(sampleOf(runs, 4))("%s in %s turns red when any one response is spoilt", (file, ledger) =>
  expectRedWhenSpoilt(file, ledger),
);

test("a well-formed answer with another value turns a scenario red, and says where", async () => {
  const withoutFirst: Fault = (response) => {
    const { users, ...others } = JSON.parse(textOf(response));
    return { ...response, body: new Body(JSON.stringify({ users: users.slice(1), ...others })) };
  };
  const { server } = await serveSpoilt(load("quickstart.arazzo.yaml"), "spec", 1, withoutFirst);
  const { exitCode, out } = await runAgainst("quickstart.arazzo.yaml", "spec", server.url);
  await server.close();
  expect(exitCode).toBe(1);
  expect(out).toContain("FAIL step-criterion: list-users: $response.body#/users/0/id == 'alice' does not hold");
  expect(out).toContain("at        /users/0/id");
});

test("what a target sends drives no terminal", async () => {
  const evil: Fault = (response) => ({ ...response, body: new Body('{"users":"\\u009b31mEVIL\\u202e"}') });
  const { server } = await serveSpoilt(load("quickstart.arazzo.yaml"), "spec", 1, evil);
  const { out } = await runAgainst("quickstart.arazzo.yaml", "spec", server.url);
  await server.close();
  expect(out).toContain("EVIL");
  expect(out).not.toMatch(/[\u009b\u202e]/);
});
