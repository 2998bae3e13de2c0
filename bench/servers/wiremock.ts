import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bodyOf, peerVariables, type Sample, type Server } from "./_server.ts";

/** The default journal size of Understudy. Without a limit WireMock keeps all exchanges and runs out of memory. */
const journalEntries = 1000;

export const wiremock: Server = {
  name: "wiremock",
  prepare({ port, workspace, samples }) {
    const root = join(workspace.folder, "wiremock");
    mkdirSync(join(root, "mappings"), { recursive: true });
    writeFileSync(
      join(root, "mappings", "bench.json"),
      JSON.stringify({ mappings: mappingsOf(workspace.lookupSchema, samples) }),
    );
    const build = join(workspace.peers, "wiremock/build");
    const jar = readdirSync(build).find((name) => name.endsWith(".jar")) ?? "";
    const flags = ["--bind-address", "127.0.0.1", "--max-request-journal-entries", String(journalEntries)];
    return {
      command: "java",
      words: ["-jar", join(build, jar), "--root-dir", root, "--port", String(port), ...flags],
      variables: peerVariables(workspace),
    };
  },
};

const headers = { Authorization: { matches: "Bearer .+" } };

function mappingsOf(lookupSchema: object, samples: readonly Sample[]): readonly object[] {
  const page = bodyOf(samples, "GET", "pageSize=10");
  const user = bodyOf(samples, "PATCH", "/v2/users/");
  const list = { method: "GET", urlPath: "/v2/users", headers, queryParameters: { pageSize: { matches: "\\d+" } } };
  const update = {
    method: "PATCH",
    urlPathTemplate: "/v2/users/{user-id}",
    headers,
    bodyPatterns: [{ matchesJsonPath: "$.user.id" }, { matchesJsonPath: "$.updateMask.paths[0]" }],
  };
  const grant = {
    method: "POST",
    urlPathTemplate: "/v2/users/{user-id}/rights",
    headers,
    bodyPatterns: [{ matchesJsonPath: "$.userId" }, { matchesJsonPath: "$.rights[0].kind" }],
  };
  return [
    inScenario("users", ["Started", undefined], list, page),
    inScenario("users", ["Updated", undefined], list, page),
    inScenario("users", ["Started", "Updated"], update, user),
    inScenario("users", ["Updated", undefined], update, user),
    inScenario("grants", ["Started", "Granted"], grant, bodyOf(samples, "POST", "/rights")),
    inScenario("grants", ["Granted", undefined], grant, { newlyGrantedRights: [] }),
    mapping(
      {
        method: "POST",
        urlPath: "/v2/interactive-submission/executeAndWait",
        headers,
        bodyPatterns: [
          { matchesJsonPath: "$.preparedTransaction" },
          { matchesJsonPath: "$.partySignatures.signatures[0].signatures[0].signature" },
        ],
      },
      bodyOf(samples, "POST", "/executeAndWait"),
    ),
    mapping(
      {
        method: "POST",
        urlPath: "/registry/transfer-instruction/v2/transfer-factory",
        bodyPatterns: [{ matchesJsonSchema: JSON.stringify(lookupSchema), schemaVersion: "V202012" }],
      },
      bodyOf(samples, "POST", "/transfer-factory"),
    ),
  ];
}

function mapping(request: object, jsonBody: unknown): object {
  return { request, response: { status: 200, jsonBody, headers: { "Content-Type": "application/json" } } };
}

function inScenario(
  scenarioName: string,
  [requiredScenarioState, newScenarioState]: readonly [string, string | undefined],
  request: object,
  jsonBody: unknown,
): object {
  const next = newScenarioState === undefined ? {} : { newScenarioState };
  return { scenarioName, requiredScenarioState, ...next, ...mapping(request, jsonBody) };
}
