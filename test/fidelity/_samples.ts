import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isJsonObject, type Json, type JsonObject, parseJson } from "../../src/foundation/json/json.ts";
import { objectOf, textOf } from "../../src/foundation/json/members.ts";
import { type RequestedStub, stubOf, stubOver } from "../acceptance/_stub.ts";

const folder = new URL("../../../shared/samples/", import.meta.url);

/** A response of a real node or registry beside that of the stub: the members of both, with their types. */
export interface ComparedSample {
  readonly name: string;
  readonly members: number;
  /** Members that only one side has, or with another type. */
  readonly differences: readonly string[];
}

/** Members in which the stub differs from a sample, with the reason. */
export const sampleExceptions: Readonly<Record<string, string>> = {
  "/context/commands": "the log string of the commands, which a node adds to some errors",
};

/** Compares every sample that exists. */
export function compareSamples(): readonly ComparedSample[] {
  const samples = [
    ["ledger/error-contract-not-found.json", contractNotFound],
    ["registry/transfer-factory-v2-offer.json", offer],
  ] as const;
  return samples.flatMap(([name, respond]) => {
    const file = fileURLToPath(new URL(name, folder));
    return existsSync(file) ? [compared(name, objectOf(parseJson(readFileSync(file, "utf8"))), respond)] : [];
  });
}

type Respond = (request: JsonObject) => Json;

function compared(name: string, sample: JsonObject, respond: Respond): ComparedSample {
  const theirs = membersOf(objectOf(sample["response"])["body"] ?? null);
  const ours = membersOf(respond(objectOf(sample["request"])));
  const differences = [...new Set([...theirs, ...ours])].filter((member) => !theirs.has(member) || !ours.has(member));
  return { name, members: theirs.size, differences };
}

/** The paths of all members with their types; `*` is any element of a list, and any key of a choice context. */
function membersOf(json: Json, path = ""): ReadonlySet<string> {
  if (Array.isArray(json)) return new Set(json.flatMap((inner) => [...membersOf(inner, `${path}/*`)]));
  if (!isJsonObject(json)) return new Set([`${path}: ${json === null ? "null" : typeof json}`]);
  const isMap = path.endsWith("/values");
  return new Set(
    Object.entries(json).flatMap(([name, inner]) => [...membersOf(inner, `${path}/${isMap ? "*" : name}`)]),
  );
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
function contractNotFound(): Json {
  const stub = stubOver({ ledger, registry }, "canton-3.5");
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

/** The lookup of the sample, as it was recorded. */
function offer({ body = {} }: JsonObject): Json {
  return posted(
    stubOf("quickstart", "canton-3.5"),
    "/registry/transfer-instruction/v2/transfer-factory",
    objectOf(body),
  );
}

function posted({ ask }: RequestedStub, target: string, body: JsonObject): Json {
  return parseJson(ask(target, { method: "POST", body, headers: [["Content-Type", "application/json"]] }).text);
}
