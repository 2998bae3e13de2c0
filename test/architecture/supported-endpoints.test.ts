import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { anonymous, supportedEndpointsPage } from "../../tools/supported-endpoints.ts";
import { root } from "./_sources.ts";

const published = parse(readFileSync(join(root, "contracts/published-operations.yaml"), "utf8"));
const packages = join(root, "node_modules/@canton-network");

/** Method and path of each operation in types that openapi-typescript made from a published description. */
function operationsIn(file: string): readonly string[] {
  const paths = /export interface paths \{\n(.*?)\n\}/s.exec(readFileSync(join(packages, file), "utf8"))?.[1] ?? "";
  return paths.split(/^ {4}(?=['"]\/)/m).flatMap((item) => {
    const path = /^['"]([^'"]+)/.exec(item)?.[1] ?? "";
    const methods = [...item.matchAll(/^ {8}(get|put|post|delete|patch): /gm)].map(([, method = ""]) => method);
    return path === "" ? [] : methods.map((method) => `${method.toUpperCase()} ${path}`);
  });
}

const release = (version: string) =>
  operationsIn(`core-ledger-client-types/dist/generated-clients/openapi-${version}.d.ts`);

test("docs/reference/supported-endpoints.md is current", () => {
  const page = readFileSync(join(root, "docs/reference/supported-endpoints.md"), "utf8");
  expect(page).toBe(supportedEndpointsPage(published));
});

test("the published operations are those of the published descriptions of the ledger", () => {
  const { "canton-3.4.11": first, "canton-3.4.12": second, "canton-3.5": third } = published.ledger;
  expect([...first, ...second].sort()).toEqual([...release("3.4.12")].sort());
  const later = ["POST /v2/commands/command-completions", "POST /v2/state/active-contracts-page"];
  expect([...first, ...second, ...third].sort()).toEqual([...release("3.5.1"), ...later].sort());
});

test("the published operations have those of the first generation of the token standard", () => {
  const known = new Set(published.registry["splice-0.7"].map(anonymous));
  const standard = ["allocation-instruction", "allocation", "token-metadata", "transfer-instruction"].flatMap((name) =>
    operationsIn(
      `core-token-standard/dist/generated-clients/splice-api-token-${name.replace("token-", "")}-v1/${name}-v1.d.ts`,
    ),
  );
  expect(standard.length).toBeGreaterThan(9);
  expect(standard.filter((operation) => !known.has(anonymous(operation)))).toEqual([]);
});
