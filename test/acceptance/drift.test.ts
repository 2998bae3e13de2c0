import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { driftOf, driftText } from "../../src/checker/reports/drift.ts";
import type { JsonObject } from "../../src/foundation/json/json.ts";
import { loadSpec } from "../../src/foundation/spec/spec.ts";
import { atPort } from "./_at-port.ts";
import { eventsIn, root, serving, understudy } from "./_command-line.ts";
import { publishedDescription } from "./_published-description.ts";

// How a check compares the OpenAPI description of a ledger with the profile.

const flags = ["--token", "participant_admin", "--rate", "1000", "--seed", "t", "--only", "token-missing"];

async function checked(url: string, more: readonly string[] = []) {
  const ran = await understudy(["check", "--ledger", url, ...flags, "--json", ...more]);
  return { exitCode: ran.exitCode, drift: JSON.parse(ran.out.trim().split("\n").at(-1) ?? "").drift };
}

/** Members and values that the files of a profile say 3.4.12 lacks of 3.5. */
function lackedBy3412(): readonly string[] {
  const read = (file: string) => parse(readFileSync(join(root, "contracts/profiles", file), "utf8"));
  const targets: readonly string[] = read("canton-3.4.12/overlay.yaml").actions.flatMap(
    ({ target, remove }: { readonly target: string; readonly remove?: boolean }) => (remove === true ? [target] : []),
  );
  const members = targets.flatMap((target) => /\.properties\.(\w+)$/.exec(target)?.[1] ?? []);
  expect(targets).toContain("$.components.schemas.HashingSchemeVersion.enum");
  const before: readonly string[] = read("canton-3.5/profile.yaml").lacksMembers;
  const lacked: readonly string[] = read("canton-3.4.12/profile.yaml").lacksMembers;
  const additional = lacked.filter((name) => !before.includes(name)).map((name) => name.split(".")[1] ?? "");
  // Operations that 3.4.12 lacks have no member.
  return [...new Set([...members, ...additional, "HASHING_SCHEME_VERSION_V3", ""])].sort();
}

test("the drift of 3.4.12 against canton-3.5 is what the profiles say", async () => {
  const { url } = await serving(["--auth", "user", "--profile", "canton-3.4.12"]);
  const { exitCode, drift } = await checked(url, ["--profile", "canton-3.5"]);
  const found: readonly { readonly [name: string]: string }[] = drift.differences;
  expect([exitCode, drift.dropped, new Set(found.map(({ change }) => change))]).toEqual([0, 0, new Set(["removed"])]);
  const names = found.map(({ kind, member, value }) => (kind === "value" ? value : member?.split("/").at(-1)));
  expect([...new Set(names)].sort()).toEqual(lackedBy3412());
  const { out } = await understudy(["profiles", "diff", "canton-3.5", "canton-3.4.12", "--json"]);
  const rows = eventsIn(out);
  const ofSchemas = rows.filter(({ source, text }) => source === "schema" && !text.includes("does not serve"));
  expect(found.filter(({ member }) => member !== undefined).map(({ operation }) => operation)).toEqual(
    ofSchemas.map(({ operation }) => operation),
  );
});

test.each(["spec", "canton-3.4.11", "canton-3.5", "canton-3.6"])("a stub of %s has no drift", async (profile) => {
  const { url } = await serving(["--auth", "user", "--profile", profile]);
  expect((await checked(url, ["--profile", profile])).drift).toEqual({ differences: [], dropped: 0 });
});

test("the published description of 3.5.1 lacks only what later patches of 3.5 added", () => {
  expect(driftLines(publishedDescription("3.5.1"))).toEqual([
    "POST /v2/interactive-submission/prepare: missing request member prefetchContractKeys/*/limit",
    "POST /v2/state/active-contracts-page: missing operation",
    "POST /v2/commands/command-completions: missing operation",
  ]);
});

test("a description of an unknown release has its new and removed parts in the drift", () => {
  const description = structuredClone(publishedDescription("3.5.1"));
  const { paths, components } = Object(description);
  delete paths["/v2/package-vetting"];
  delete paths["/v2/updates/flats"];
  paths["/v2/contracts/by-color"] = { post: {} };
  const { User, JsExecuteSubmissionRequest } = components.schemas;
  User.properties.color = { type: "string" };
  User.required.push("color", "primaryParty");
  JsExecuteSubmissionRequest.properties.hashingSchemeVersion.enum.push("HASHING_SCHEME_VERSION_V9");
  const lines = driftLines(description);
  expect(lines).toContain("POST /v2/package-vetting: missing operation");
  expect(lines).toContain("POST /v2/updates/flats: missing operation");
  expect(lines).toContain("POST /v2/contracts/by-color: additional operation");
  expect(lines).toContain("PATCH /v2/users/{user-id}: additional request member user/color, required");
  expect(lines).toContain("PATCH /v2/users/{user-id}: request member user/primaryParty is required");
  expect(lines).toContain(
    "POST /v2/interactive-submission/execute: additional value HASHING_SCHEME_VERSION_V9 of request member hashingSchemeVersion",
  );
});

function driftLines(description: JsonObject): readonly string[] {
  const spec = loadSpec({ ledger: "canton-3.5", registry: "splice-0.7" }, { hasAdditionalOperations: true });
  const { differences } = driftOf(spec, description, (text) => text);
  return differences.map((difference) => `${difference.operation}: ${driftText(difference)}`);
}

test("drift does not fail a check, unless --fail-on drift; --no-drift reads no description", async () => {
  const { url } = await serving(["--auth", "user", "--profile", "canton-3.5"]);
  const against = ["check", "--ledger", url, ...flags, "--profile", "canton-3.6"];
  const [plain, failing, off] = await Promise.all([
    understudy(against),
    understudy([...against, "--fail-on", "drift"]),
    understudy([...against, "--no-drift", "--fail-on", "drift"]),
  ]);
  expect(plain.exitCode).toBe(off.exitCode);
  expect(plain.out).toMatch(
    /^Drift: the OpenAPI description of the ledger differs from canton-3\.6 in \d+ places\.\n {2}POST /m,
  );
  expect(failing.exitCode).toBe(1);
  expect(failing.out).toMatch(/^The check fails: .*\d+ differences of the OpenAPI description from the profile/m);
  expect(off.out).not.toContain("Drift");
});

test.each([
  ["an unknown path", 404, "no such path", "GET /docs/openapi returned 404"],
  ["the page of a gateway", 200, "<html>a: b: c</html>", "is not an OpenAPI description"],
  ["other YAML", 200, "a: [1, 2]", "is not an OpenAPI description"],
  ["deep nesting", 200, "[".repeat(100_000), "is not an OpenAPI description"],
  ["aliases that multiply", 200, `a: &a [x]\n${aliases()}`, "is not an OpenAPI description"],
  ["too large", 200, `paths: {}\n# ${"x".repeat(1024 * 1024)}`, "is larger than 1048576 bytes"],
])("%s instead of a description is one line of the report", async (_name, status, body, problem) => {
  const url = await atPort((request, response) => {
    const isDescription = request.url === "/docs/openapi";
    const type = isDescription ? "text/plain" : "application/json";
    response.writeHead(isDescription ? status : 200, { "Content-Type": type });
    response.end(isDescription ? body : '{"version":"3.5.1","identityProviderConfigs":[]}');
  });
  const { drift } = await checked(url);
  expect(drift).toEqual({ problem: expect.stringContaining(problem), differences: [], dropped: 0 });
  const { out } = await understudy(["check", "--ledger", url, ...flags]);
  expect(out.split("\n").filter((line) => line.startsWith("Drift: not checked, "))).toHaveLength(1);
});

/** Each list has the one before ten times. */
function aliases(): string {
  const names = [..."abcdefghij"];
  return names
    .slice(1)
    .map((name, index) => `${name}: &${name} [${Array.from({ length: 10 }, () => `*${names[index]}`).join(", ")}]`)
    .join("\n");
}
