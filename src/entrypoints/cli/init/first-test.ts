import type { Framework, Language } from "./project.ts";

/** Text of the first test: a small client, and two tests of it in the style of the framework. */
export function firstTest(framework: Framework, language: Language): string {
  const types = language === "TypeScript" ? referencesOf[framework] : "";
  return `${types}${importsOf[language]}${importsOf[framework]}
${clients[language]}
// Each test gets a ledger of its own, with the users and parties of ledger.yaml at its start.
${tests[framework]}`;
}

/** The client in the first test. */
export const clientName = "grantActAs";

/** Types that some versions of TypeScript find only by name. */
const referencesOf: Readonly<Record<Framework, string>> = {
  vitest: "",
  jest: `/// <reference types="jest" />
`,
  "node-test": `/// <reference types="node" />
`,
};

const importsOf: Readonly<Record<Language | Framework, string>> = {
  JavaScript: "",
  TypeScript: `import type { LedgerPaths } from "canton-understudy";
`,
  vitest: `import { expect, understudyTest } from "canton-understudy/vitest";
`,
  jest: `import { useUnderstudy } from "canton-understudy/jest";
`,
  "node-test": `import assert from "node:assert/strict";
import { assertReceived, understudyTest } from "canton-understudy/node-test";
`,
};

const request = `  const response = await fetch(\`\${ledgerUrl}/v2/users/\${userId}/rights\`, {
    method: "POST",
    headers: { Authorization: \`Bearer \${token}\`, "Content-Type": "application/json" },
    body: JSON.stringify({ userId, rights: [{ kind: { CanActAs: { value: { party } } } }] }),
  });
  if (!response.ok) throw new Error(\`\${response.status} \${await response.text()}\`);`;

const comment = `// Your client. Replace it with an import of your own code.
/** Lets a user act as a party. Returns false if the user had this right before. */`;

const clients: Readonly<Record<Language, string>> = {
  JavaScript: `${comment}
async function ${clientName}(ledgerUrl, token, userId, party) {
${request}
  const { newlyGrantedRights } = await response.json();
  return newlyGrantedRights.length > 0;
}
`,
  TypeScript: `type Granted = LedgerPaths["/v2/users/{user-id}/rights"]["post"]["responses"][200]["content"]["application/json"];

${comment}
async function ${clientName}(ledgerUrl: string, token: string, userId: string, party: string): Promise<boolean> {
${request}
  const { newlyGrantedRights = [] } = (await response.json()) as Granted;
  return newlyGrantedRights.length > 0;
}
`,
};

const tests: Readonly<Record<Framework, string>> = {
  vitest: `const test = understudyTest({ scenario: new URL("first.arazzo.yaml", import.meta.url) });
const token = "any"; // By default the stub accepts any token.

test("grants a right once", async ({ understudy }) => {
  expect(await grantActAs(understudy.ledgerUrl, token, "alice", "bob::1220ab")).toBe(true);
  expect(await grantActAs(understudy.ledgerUrl, token, "alice", "bob::1220ab")).toBe(false); // The stub keeps state.
  expect(understudy).toHaveReceived({ operation: "postV2UsersUser-idRights", times: 2 });
});

test("reports the error of a ledger that is down", async ({ understudy }) => {
  understudy.fault("postV2UsersUser-idRights", { error: "SERVICE_NOT_RUNNING" });
  const granting = grantActAs(understudy.ledgerUrl, token, "alice", "bob::1220ab");
  await expect(granting).rejects.toThrow("SERVICE_NOT_RUNNING");
});
`,
  jest: `const stage = useUnderstudy({ scenario: new URL("first.arazzo.yaml", import.meta.url) });
const token = "any"; // By default the stub accepts any token.

test("grants a right once", async () => {
  const { understudy } = stage;
  expect(await grantActAs(understudy.ledgerUrl, token, "alice", "bob::1220ab")).toBe(true);
  expect(await grantActAs(understudy.ledgerUrl, token, "alice", "bob::1220ab")).toBe(false); // The stub keeps state.
  expect(understudy).toHaveReceived({ operation: "postV2UsersUser-idRights", times: 2 });
});

test("reports the error of a ledger that is down", async () => {
  const { understudy } = stage;
  understudy.fault("postV2UsersUser-idRights", { error: "SERVICE_NOT_RUNNING" });
  const granting = grantActAs(understudy.ledgerUrl, token, "alice", "bob::1220ab");
  await expect(granting).rejects.toThrow("SERVICE_NOT_RUNNING");
});
`,
  "node-test": `const test = understudyTest({ scenario: new URL("first.arazzo.yaml", import.meta.url) });
const token = "any"; // By default the stub accepts any token.

test("grants a right once", async ({ understudy }) => {
  assert.equal(await grantActAs(understudy.ledgerUrl, token, "alice", "bob::1220ab"), true);
  assert.equal(await grantActAs(understudy.ledgerUrl, token, "alice", "bob::1220ab"), false); // The stub keeps state.
  assertReceived(understudy, { operation: "postV2UsersUser-idRights", times: 2 });
});

test("reports the error of a ledger that is down", async ({ understudy }) => {
  understudy.fault("postV2UsersUser-idRights", { error: "SERVICE_NOT_RUNNING" });
  const granting = grantActAs(understudy.ledgerUrl, token, "alice", "bob::1220ab");
  await assert.rejects(granting, /SERVICE_NOT_RUNNING/);
});
`,
};
