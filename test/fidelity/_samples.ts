import { formatJson, isJsonObject, type Json, type JsonObject, parseJson } from "../../src/foundation/json/json.ts";
import { objectOf, textOf } from "../../src/foundation/json/members.ts";
import { ledgerErrorSample, lookupSample } from "../_sample-responses.ts";
import { type RequestedStub, stubOf, stubOver } from "../acceptance/_stub.ts";
import { type ComparedProfile, comparedProfiles } from "./_observations.ts";

/** A sample of a response beside that of a profile: the members of both, with their types or values. */
export interface ComparedSample {
  readonly name: string;
  readonly profile: string;
  readonly members: number;
  readonly differences: readonly SampleDifference[];
}

interface SampleDifference {
  /** A member of the sample that the stub lacks, or that it has beyond the sample, with its type or value. */
  readonly member: string;
  /** Why the stub differs; undefined if it should not. */
  readonly reason: string | undefined;
}

/** Members in which the stub differs from a sample, with the reason. */
const reasons: Readonly<Record<string, string>> = {
  "/context/commands": "the log string of the commands, which a node adds to some errors",
  "/resources/*/0": "the sample is of release 3.3 or 3.4; the source of 3.5 names this type `CONTRACT_ID`",
};

/** Compares every sample with the profiles that it belongs to. */
export function compareSamples(): readonly ComparedSample[] {
  const registries = ["splice-0.7", "splice-0.8"].map((profile) => ({
    name: "lookup of an offer",
    profile,
    sample: lookupSample.response.body,
    respond: () => offer(profile),
  }));
  const ledgers = comparedProfiles.map((profile) => ({
    name: "error about an unknown contract",
    profile,
    sample: ledgerErrorSample.response.body,
    respond: () => contractNotFound(profile),
  }));
  return [...ledgers, ...registries].map(({ name, profile, sample, respond }) => {
    const theirs = membersOf(sample);
    const ours = membersOf(respond());
    const differing = [...theirs].filter((member) => !ours.has(member));
    const further = [...ours].filter((member) => !theirs.has(member));
    // A member with another value is one difference.
    const paths = new Set(differing.map(pathOf));
    const all = [...differing, ...further.filter((member) => !paths.has(pathOf(member)))];
    const differences = all.map((member) => ({ member, reason: reasons[pathOf(member)] }));
    return { name, profile, members: theirs.size, differences };
  });
}

/** Members whose values are those of an error or a kind, and not generated. */
const isFixed =
  /\/(?:code|category|definite_answer|errorCategory|grpcCodeValue|tag|transferKind)$|^\/resources\/\*\/0$/;

/** The paths of all members with their types, or with fixed values; `*` is any element of a list, and any key of a choice context. */
function membersOf(json: Json, path = ""): ReadonlySet<string> {
  if (Array.isArray(json)) {
    const isPair = path === "/resources/*";
    return new Set(json.flatMap((inner, index) => [...membersOf(inner, `${path}/${isPair ? index : "*"}`)]));
  }
  if (!isJsonObject(json))
    return new Set([`${path}: ${isFixed.test(path) ? formatJson(json) : json === null ? "null" : typeof json}`]);
  const isMap = path.endsWith("/values");
  return new Set(
    Object.entries(json).flatMap(([name, inner]) => [...membersOf(inner, `${path}/${isMap ? "*" : name}`)]),
  );
}

function pathOf(member: string): string {
  return member.split(":")[0] ?? "";
}

const party = "alice::1220ab";
const packageId = "6d1798ffd7e60d49c64fc3ec35f8f814f9aecbcc96cea1056c6973d9c59d7cf0";
const ledger = `participantId: p::1220ab
parties: [{ id: "${party}" }]
synchronizers: [{ alias: a, id: "a::1220ab" }]
packages: [{ id: ${packageId}, name: splice-amulet, version: 0.1.9 }]
`;
const registry = `admin: dso::1220ab
instruments: [{ id: Amulet }]
factory: { contract: factory, context: [] }
contracts: [{ name: factory, templateId: "${packageId}:M:F", packageName: splice-amulet, createdAt: 2025-12-31T00:00:00Z, synchronizer: "a::1220ab" }]
holdings: [{ name: one, owner: "${party}", instrument: Amulet, amount: "10" }]
`;

/** Archives a contract twice. */
function contractNotFound(profile: ComparedProfile): Json {
  const stub = stubOver({ ledger, registry }, profile);
  const found = posted(stub, "/v2/state/active-contracts", {
    activeAtOffset: 0,
    eventFormat: { filtersByParty: { [party]: {} } },
  });
  const first = objectOf(Array.isArray(found) ? found[0] : null);
  const entry = objectOf(objectOf(first["contractEntry"])["JsActiveContract"]);
  const contractId = textOf(objectOf(entry["createdEvent"])["contractId"]);
  const prepared = ["first", "second"].map((commandId) =>
    posted(stub, "/v2/interactive-submission/prepare", {
      commandId,
      actAs: [party],
      commands: [
        {
          ExerciseCommand: {
            templateId: "#splice-amulet:Splice.Amulet:Amulet",
            contractId,
            choice: "Archive",
            choiceArgument: {},
          },
        },
      ],
    }),
  );
  return prepared.map((one) => executed(stub, objectOf(one))).at(-1) ?? null;
}

function executed(stub: RequestedStub, { preparedTransaction = "", hashingSchemeVersion = "" }: JsonObject): Json {
  const signature = {
    format: "SIGNATURE_FORMAT_CONCAT",
    signature: "AA==",
    signedBy: "1220ab",
    signingAlgorithmSpec: "SIGNING_ALGORITHM_SPEC_ED25519",
  };
  return posted(stub, "/v2/interactive-submission/executeAndWait", {
    preparedTransaction,
    hashingSchemeVersion,
    submissionId: "sample",
    deduplicationPeriod: { Empty: {} },
    partySignatures: { signatures: [{ party, signatures: [signature] }] },
  });
}

/** The lookup of the sample. */
function offer(registryProfile: string): Json {
  return posted(
    stubOf("quickstart", "canton-3.5", "bearer", registryProfile),
    "/registry/transfer-instruction/v2/transfer-factory",
    lookupSample.request.body,
  );
}

function posted({ ask }: RequestedStub, target: string, body: JsonObject): Json {
  return parseJson(ask(target, { method: "POST", body, headers: [["Content-Type", "application/json"]] }).text);
}
