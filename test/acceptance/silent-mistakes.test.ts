import { expect, test } from "vitest";
import { startUnderstudy } from "../../src/index.ts";
import { serving, understudy } from "./_command-line.ts";

test.each([
  ["worlds/default/fork", { label: ["a"] }, 'POST fork has no member "label". Did you mean "labels"?'],
  ["worlds/default/fork", { form: "start" }, 'POST fork has no member "form". Did you mean "from"?'],
  ["worlds/default/clock/advance", { for: "PT1S" }, 'POST clock/advance has no member "for". Use by.'],
  ["worlds/default/reassignments/begin", { contract: "a", too: "b" }, 'has no member "too". Did you mean "to"?'],
  ["worlds/default/plan", { plans: [] }, 'POST plan has no member "plans". Did you mean "plan"?'],
  ["worlds/default/reset", { from: "start" }, 'POST reset has no member "from". Send no body.'],
  ["tokens", { nam: "ci", scope: "drive" }, 'POST /__understudy/tokens has no member "nam". Did you mean "name"?'],
])("the control API refuses an unknown member: %s %j", async (path, body, message) => {
  await using stub = await startUnderstudy();
  const init = { method: "POST", body: JSON.stringify(body) };
  const response = await fetch(`${stub.ledgerUrl}/__understudy/${path}`, init);
  expect([response.status, await response.json()]).toEqual([400, { error: expect.stringContaining(message) }]);
});

test.each([
  ["/v2/users?page_size=2", "the known parameter `pageSize`", "the unknown parameter `page_size`"],
  ["/v2/idps?pageSize=2", "no parameter in the query", "the unknown parameter `pageSize`"],
])("an unknown query parameter is a client warning with the known name: %s", async (target, expected, actual) => {
  await using stub = await startUnderstudy({ profile: "canton-3.5" });
  const response = await fetch(`${stub.ledgerUrl}${target}`, { headers: { Authorization: "Bearer any" } });
  expect(response.status).toBe(200);
  expect(stub.clientFindings()).toMatchObject([
    { rule: "known-parameters-sent", severity: "warning", expected, actual, count: 1 },
  ]);
});

const line =
  "Profile spec is the letter of the spec. To play a release, such as that of a LocalNet: --profile canton-3.6.";

test.each([
  [[], true],
  [["--profile", "canton-3.6"], false],
  [["--profile", "spec"], false],
])("serve says what it plays without a profile: %j", async (words, isSaid) => {
  expect((await serving(words)).ready.includes(line)).toBe(isSaid);
});

test.each([
  ["UNDERSTUDY_PROT", "UNDERSTUDY_PROT in the environment sets no flag. Did you mean UNDERSTUDY_PORT?\n"],
  [
    "UNDERSTUDY_CONTROL_TOKENS",
    "UNDERSTUDY_CONTROL_TOKENS in the environment sets no flag. Did you mean UNDERSTUDY_CONTROL_TOKEN?\n",
  ],
  ["UNDERSTUDY_CONTROL_TOKEN", ""],
  ["UNDERSTUDY_STATE", ""],
  ["UNDERSTUDY_NODE_TOKEN", ""],
])("names the variable that the environment misspells: %s", async (name, error) => {
  const words = ["run", "scenarios/quickstart.arazzo.yaml", "--quiet"];
  expect(await understudy(words, { variables: { [name]: "0123456789abcdef" } })).toEqual({
    exitCode: 0,
    out: "",
    error,
  });
});
