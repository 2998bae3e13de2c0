import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { isJsonObject, type Json, jsonOf, parseJson } from "../../src/foundation/json/json.ts";
import { Codec, type DecodedBody } from "../../src/stub/codec/codec.ts";
import { stubSpec } from "../../src/stub/pipeline/stub.ts";
import { fidelityTable, samplesTable } from "./_fidelity-table.ts";
import { bytesOf, comparedProfiles, compareWith, type Observation, readObservations } from "./_observations.ts";
import { compareSamples } from "./_samples.ts";

const spec = stubSpec({ ledger: "canton-3.5", registry: "splice-0.7" }, { hasAdditionalOperations: true });
const schemas = new Map<string, string | undefined>(
  spec.operations.map(({ operationId, requestSchema }) => [operationId, requestSchema]),
);
const codec = new Codec(spec.descriptions.ledger);

function decoded(observation: Observation): DecodedBody {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytesOf(observation));
  const schema = schemas.get(observation.operationId);
  if (schema === undefined) throw new Error(`no schema of ${observation.operationId}`);
  return codec.decode(schema, { text, json: jsonOf(text) });
}

test.each(comparedProfiles)("%s accepts and refuses observed bodies with the texts of its release", (profile) => {
  const compared = compareWith(profile, readObservations());
  const unexpected = compared.filter(({ refusal, expected }) => refusal !== expected);
  expect(unexpected.map(({ observation, expected, refusal }) => ({ id: observation.id, expected, refusal }))).toEqual(
    [],
  );
  expect(compared.filter(({ reason, hasSameText }) => (reason === undefined) !== hasSameText)).toEqual([]);
});

test("profiles respond with the members of the samples of their releases, except those with a reason", () => {
  const samples = compareSamples();
  expect(samples).toHaveLength(6);
  expect(samples.flatMap(({ differences }) => differences.filter(({ reason }) => reason === undefined))).toEqual([]);
});

test("the tables of observed bodies and samples in the guide are current", () => {
  const page = readFileSync(fileURLToPath(new URL("../../docs/fidelity.md", import.meta.url)), "utf8");
  const observations = readObservations();
  const byProfile = new Map(comparedProfiles.map((profile) => [profile, compareWith(profile, observations)]));
  expect(page).toContain(fidelityTable(byProfile));
  expect(page).toContain(samplesTable(compareSamples()));
});

test("the codec refuses every observed body with the text of a node", () => {
  const differing = readObservations().flatMap((observation) => {
    const body = decoded(observation);
    const text = body.type === "refused" ? `Invalid value for: body (${body.reason})` : undefined;
    return text === observation.text ? [] : [[observation.id, observation.text, text]];
  });
  expect(differing).toEqual([]);
});

test("the codec decodes every accepted body to the value of a node; absent members stay absent", () => {
  const differing = readObservations().flatMap((observation) => {
    const body = decoded(observation);
    if (observation.decoded === undefined || body.type === "refused") return [];
    const [node, stub] = [withoutNulls(parseJson(observation.decoded)), withoutNulls(wellFormed(body.value))];
    return JSON.stringify(node, bigintAsText) === JSON.stringify(stub, bigintAsText)
      ? []
      : [[observation.id, node, stub]];
  });
  expect(differing).toEqual([]);
});

function withoutNulls(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(members.map(([name, inner]) => [name, withoutNulls(inner)]));
}

/** A node writes a lone surrogate as a question mark. */
function wellFormed(value: Json): Json {
  if (typeof value === "string") return value.replaceAll(/\p{Surrogate}/gu, "?");
  if (Array.isArray(value)) return value.map(wellFormed);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, wellFormed(inner)]));
}

function bigintAsText(_name: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}
