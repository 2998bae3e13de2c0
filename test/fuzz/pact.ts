import { readdirSync } from "node:fs";
import { diskFiles, packagedFile } from "../../src/entrypoints/library/files.ts";
import { checkPact } from "../../src/entrypoints/pact/check-interaction.ts";
import { ProviderStateServer, providerStatesPath } from "../../src/entrypoints/pact/provider-state-server.ts";
import { readPact } from "../../src/entrypoints/pact/read-pact.ts";
import { Body } from "../../src/foundation/http/body.ts";
import type { Request } from "../../src/foundation/http/request.ts";
import { formatJson, isJsonObject, type Json, parseJson } from "../../src/foundation/json/json.ts";
import { loadSpec, profileNamesOf, type Spec } from "../../src/foundation/spec/spec.ts";
import { loadScenario } from "../../src/scenarios/files/load-scenario.ts";
import { pactOf } from "../acceptance/_written-pact.ts";
import { below, isDrawn, oneOf, type Random } from "./_draw.ts";
import type { FuzzKind } from "./_fuzz-kind.ts";
import { problemsProblem } from "./_loaded.ts";
import { garbageBytes, mutatedBytes } from "./_mutate-bytes.ts";
import { mutatedJson } from "./_mutate-json.ts";
import { targetOf } from "./_target-of.ts";

/** Pact files of versions 2 to 4, checked against the contract; and requests for provider states. */
export const KIND: FuzzKind = {
  name: "pact",
  open: async () => {
    const good = await goodPacts();
    const specs = profileNamesOf("ledger").map((ledger) =>
      loadSpec({ ledger, registry: ledger === "spec" ? "spec" : "splice-0.7" }, { hasAdditionalOperations: true }),
    );
    const states = providerStates();
    return targetOf({
      draw: (random) => drawn(good, specs, random),
      check: (input) => (input.isState ? stateProblem(states, input.text) : pactProblem(input)),
      show: ({ isState, text }) => `(${isState ? "a state change" : "a Pact file"})\n${text}`,
    });
  },
};

interface Input {
  readonly isState: boolean;
  readonly text: string;
  readonly spec: Spec;
}

/** Small files of each version, made of what scenarios come to. */
async function goodPacts(): Promise<readonly Json[]> {
  const files = readdirSync(packagedFile("scenarios")).filter((file) => file.endsWith(".arazzo.yaml"));
  const written = await Promise.all(files.map((file) => pactOf(packagedFile(`scenarios/${file}`))));
  const own = written.flatMap(({ pact }): readonly Json[] => {
    const whole = parseJson(formatJson(pact));
    const interactions = isJsonObject(whole) ? whole["interactions"] : undefined;
    if (!isJsonObject(whole) || !Array.isArray(interactions)) return [];
    return interactions.map((interaction: Json) => ({ ...whole, interactions: [interaction] }));
  });
  return [...own, ...olderPacts];
}

const olderPacts: readonly Json[] = ["2.0.0", "3.0.0"].map((version) => ({
  consumer: { name: "wallet" },
  provider: { name: "canton" },
  interactions: [
    {
      description: "a page of users",
      ...(version === "2.0.0"
        ? { providerState: "there are users" }
        : { providerStates: [{ name: "there are users", params: {} }] }),
      request: {
        method: "GET",
        path: "/v2/users",
        query: version === "2.0.0" ? "pageSize=2" : { pageSize: ["2"] },
        headers: { Authorization: "Bearer a-token" },
      },
      response: {
        status: 200,
        headers: { "Content-Type": "application/json" },
        body: { users: [{ id: "alice" }], nextPageToken: "" },
        matchingRules:
          version === "2.0.0"
            ? { "$.body.users": { min: 1, match: "type" }, "$.body.users[*].id": { match: "regex", regex: "^[a-z]+$" } }
            : { body: { "$.users": { matchers: [{ match: "type", min: 1 }], combine: "AND" } } },
      },
    },
  ],
  metadata: { pactSpecification: { version } },
}));

function drawn(good: readonly Json[], specs: readonly Spec[], random: Random): Input {
  const isState = isDrawn(random, 0.1);
  return { isState, text: textFrom(isState ? goodStates : good, random), spec: oneOf(random, specs) };
}

function textFrom(good: readonly Json[], random: Random): string {
  const value = oneOf(random, good);
  const bytes = new TextEncoder();
  if (isDrawn(random, 0.03)) return new TextDecoder().decode(garbageBytes(random, 300));
  if (isDrawn(random, 0.1))
    return new TextDecoder().decode(mutatedBytes(bytes.encode(formatJson(value, below(random, 3))), random));
  return mutatedJson(value, random);
}

function pactProblem({ text, spec }: Input): string | undefined {
  const result = readPact("pact.json", text);
  if (result.type === "invalid") return problemsProblem(result.problems, { "pact.json": text });
  const lines = text.split("\n").length;
  for (const { findings, interaction } of checkPact(result.file, spec, "release")) {
    const places = [interaction.path, ...findings.map(({ path }) => path)].map(
      (path) => result.file.placeOf(path).line,
    );
    if (places.some((line) => line < 1 || line > lines)) return "a finding is at a line that the file does not have";
  }
  return undefined;
}

const goodStates: readonly Json[] = [
  { state: "quickstart", action: "setup", params: {} },
  { state: "", action: "teardown" },
  { states: ["quickstart", "rights"], action: "setup" },
  { state: "rights", params: { afterStep: "grant" } },
];

function providerStates(): ProviderStateServer {
  const scenarios = ["quickstart", "rights"].flatMap((name) => {
    const result = loadScenario(packagedFile(`scenarios/${name}.arazzo.yaml`), diskFiles);
    return result.type === "loaded"
      ? [{ scenario: result.scenario, profile: { ledger: "spec", registry: "spec" } as const }]
      : [];
  });
  return new ProviderStateServer({
    scenarios,
    hooks: new Map([["hooked", async () => undefined]]),
    providerUrl: undefined,
    wallNowMs: () => 0,
    onChange: () => undefined,
  });
}

async function stateProblem(states: ProviderStateServer, text: string): Promise<string | undefined> {
  const request: Request = {
    method: "POST",
    target: providerStatesPath,
    headers: [["Host", "127.0.0.1"]],
    body: new Body(text),
  };
  const response = await states.handler(request);
  if (response.type === "broken") return "a state change gets no response";
  const isKnown = [200, 400, 404].includes(response.status);
  return isKnown ? undefined : `a state change is served by ${response.status}`;
}
