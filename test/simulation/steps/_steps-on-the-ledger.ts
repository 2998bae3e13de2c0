import type { Arbitrary } from "fast-check";
import * as fc from "fast-check";
import type { Json } from "../../../src/foundation/json/json.ts";
import { call, members, oneOf, sequence, type Weighted, weighted } from "./_generators.ts";
import type { PreparedInput, WalkInputs } from "./_inputs.ts";
import { ownUser, ref, type Step } from "./_step.ts";
import { choiceContext } from "./_steps-on-the-registry.ts";

const unknownPackage = "c".repeat(64);

/** Steps on packages, parties, identity providers and submissions. */
export function stepsOnTheLedger(inputs: WalkInputs): readonly Weighted<Step>[] {
  const packageId = oneOf<Json>(unknownPackage, ...inputs.packages.map(({ id }) => id), " ", "a.b");
  const executions = inputs.preparedTransactions.map(({ value, actAs }) => ({
    arbitrary: executing(value, actAs),
    weight: 3,
  }));
  return [
    { arbitrary: call("getV2PackagesPackage-idStatus", { path: { "package-id": packageId } }), weight: 4 },
    { arbitrary: call("getV2Idps"), weight: 1 },
    { arbitrary: vetting(inputs, "postV2Package-vetting"), weight: 12 },
    { arbitrary: vetting(inputs, "postV2Package-vettingUpdate"), weight: 3 },
    { arbitrary: call("postV2Package-vettingList", { body: fc.constant({}) }), weight: 5 },
    ...executions,
    { arbitrary: executing("AAAA", inputs.parties.slice(0, 1)), weight: 1 },
    { arbitrary: call("getV2StateLedger-end"), weight: 3 },
    { arbitrary: updateRead(inputs), weight: 3 },
    { arbitrary: topologyMade(inputs), weight: 3 },
    { arbitrary: allocating(inputs), weight: 5 },
    { arbitrary: call("getV2Parties"), weight: 2 },
    { arbitrary: call("getV2PartiesParty", { path: { party: partyIn(inputs) } }), weight: 2 },
  ];
}

/** Sequences that allocate a party, execute the scenario's prepared transactions, and accept an offer. */
export function sequencesOnTheLedger(inputs: WalkInputs): readonly Weighted<readonly Step[]>[] {
  const isKnown = ({ actAs }: PreparedInput) => actAs.every((id) => inputs.parties.includes(id));
  const declared = [
    ...inputs.preparedTransactions.filter((prepared) => !isKnown(prepared)),
    ...inputs.preparedTransactions.filter(isKnown),
  ].slice(0, 3);
  const steps = fc.tuple(
    topologyMade(inputs),
    allocating(inputs),
    ...declared.map(({ value, actAs }) => executing(value, actAs)),
    call("getWorld", { path: { world: oneOf<Json>("default") } }),
    choiceContext("Accept"),
    call("getV2StateLedger-end"),
    updateRead(inputs),
  );
  return [{ arbitrary: sequence(declared.length + 6, steps), weight: 6 }];
}

function vetting(inputs: WalkInputs, operationId: string): Arbitrary<Step> {
  const known = inputs.packages.flatMap(({ id, name, version }): Json[] => [
    { packageId: id },
    { packageName: name, packageVersion: version },
    { packageName: name },
    { packageId: id, packageName: name, packageVersion: version },
  ]);
  const strange: readonly Json[] = [
    { packageId: unknownPackage },
    { packageName: "none-such" },
    {},
    { packageVersion: "1.0.0" },
  ];
  const reference = weighted(oneOf<Json>(...orElse(known, strange)), oneOf<Json>(...strange));
  const packages = fc.array(reference, { minLength: 1, maxLength: 2, size: "max" });
  const bounds = {
    "newValidFromInclusive?": oneOf<Json>(inputs.past, inputs.future),
    "newValidUntilExclusive?": oneOf<Json>(inputs.future, inputs.past),
  };
  const vet = members({ packages, ...bounds }).map((value): Json => ({ operation: { Vet: { value } } }));
  const unvet = packages.map((named): Json => ({ operation: { Unvet: { value: { packages: named } } } }));
  const change = weighted(fc.oneof(vet, unvet), oneOf<Json>({ operation: { Empty: {} } }, {}));
  const serial = weighted(
    oneOf<Json>({ Empty: {} }, { Prior: { value: 1 } }),
    oneOf<Json>({ NoPrior: {} }, { Prior: { value: 0 } }),
  );
  const force = ["UPDATE_VETTED_PACKAGES_FORCE_FLAG_ALLOW_UNVETTED_DEPENDENCIES"];
  const body = members({
    changes: weighted<Json>(fc.array(change, { minLength: 1, maxLength: 2, size: "max" }), oneOf<Json>([])),
    synchronizerId: synchronizer(inputs),
    "dryRun?": oneOf<Json>(true, false),
    "expectedTopologySerial?": serial.map((named): Json => ({ serial: named })),
    "updateVettedPackagesForceFlags?": oneOf<Json>([], force),
  });
  return call(operationId, { body });
}

/** The alternative for fixtures without entries of a kind. */
function orElse(known: readonly Json[], strange: readonly Json[]): readonly Json[] {
  return known.length === 0 ? strange : known;
}

function synchronizer(inputs: WalkInputs): Arbitrary<Json> {
  const ids = inputs.synchronizers.map(({ id }) => id);
  const unknown = `nowhere::1220${"d".repeat(64)}`;
  return weighted(oneOf<Json>(...orElse(ids, [unknown])), oneOf<Json>(unknown, "", "x"));
}

/** Executes a prepared transaction of the scenario with a placeholder signature. */
function executing(preparedTransaction: string, actAs: readonly string[]): Arbitrary<Step> {
  const signature = {
    format: "SIGNATURE_FORMAT_CONCAT",
    signature: "AAAA",
    signedBy: `1220${"a".repeat(64)}`,
    signingAlgorithmSpec: "SIGNING_ALGORITHM_SPEC_ED25519",
  };
  const signed: Json = { signatures: actAs.map((party) => ({ party, signatures: [signature] })) };
  const scheme = (name: string) => `HASHING_SCHEME_VERSION_${name}`;
  const body = members({
    preparedTransaction: oneOf<Json>(preparedTransaction),
    partySignatures: weighted(oneOf<Json>(signed), oneOf<Json>({ signatures: [] })),
    submissionId: weighted(oneOf<Json>("first", "second", ""), oneOf<Json>("no@string")),
    hashingSchemeVersion: weighted(oneOf<Json>(scheme("V2")), oneOf<Json>(scheme("UNSPECIFIED"), scheme("V9"))),
    deduplicationPeriod: weighted(oneOf<Json>({ Empty: {} }), oneOf<Json>({ DeduplicationOffset: { value: -1 } })),
  });
  return call("postV2Interactive-submissionExecuteandwait", { body });
}

function updateRead(inputs: WalkInputs): Arbitrary<Step> {
  const everything = {
    cumulative: [{ identifierFilter: { WildcardFilter: { value: { includeCreatedEventBlob: false } } } }],
  };
  const filtersByParty = Object.fromEntries(inputs.parties.slice(0, 1).map((party) => [party, everything]));
  const body: Json = {
    updateId: ref("updateId"),
    updateFormat: {
      includeTransactions: {
        eventFormat: { filtersByParty, verbose: false },
        transactionShape: "TRANSACTION_SHAPE_ACS_DELTA",
      },
    },
  };
  return call("postV2UpdatesUpdate-by-id", { body: oneOf<Json>(body) });
}

/** Generates the topology of a party: `nina`, which the fixtures' prepared transactions name, or another. */
function topologyMade(inputs: WalkInputs): Arbitrary<Step> {
  const named = weighted<Json>(oneOf<Json>(["nina", "n"]), oneOf<Json>(["walker", "w"], ["", "w"]));
  const step = call("postV2PartiesExternalGenerate-topology", { body: fc.constant({}) });
  return fc
    .record({ step, named, synchronizer: synchronizer(inputs) })
    .map(({ step: drawn, named: names, synchronizer: id }) => {
      const [partyHint = "", letter] = Array.isArray(names) ? names.map(String) : [];
      const publicKey = {
        format: "CRYPTO_KEY_FORMAT_RAW",
        keyData: btoa((letter ?? "w").repeat(32)),
        keySpec: "SIGNING_KEY_SPEC_EC_CURVE25519",
      };
      return { ...drawn, body: { synchronizer: id, partyHint, publicKey } };
    });
}

function allocating(inputs: WalkInputs): Arbitrary<Step> {
  const signature = {
    format: "SIGNATURE_FORMAT_CONCAT",
    signature: "AAAA",
    signedBy: ref("fingerprint"),
    signingAlgorithmSpec: "SIGNING_ALGORITHM_SPEC_ED25519",
  };
  const body = members({
    synchronizer: synchronizer(inputs),
    onboardingTransactions: weighted<Json>(
      oneOf<Json>([{ transaction: ref("topology"), signatures: [] }]),
      oneOf<Json>([], [{ transaction: "AAAA", signatures: [] }]),
    ),
    multiHashSignatures: weighted<Json>(oneOf<Json>([signature]), oneOf<Json>([])),
    "userId?": weighted(oneOf<Json>("", ...inputs.users.slice(0, 1)), oneOf<Json>(ownUser(1), "unknown-user")),
    "waitForAllocation?": oneOf<Json>(true, false),
    "identityProviderId?": weighted(oneOf<Json>(""), oneOf<Json>("none-such")),
  });
  return call("postV2PartiesExternalAllocate", { body });
}

function partyIn(inputs: WalkInputs): Arbitrary<Json> {
  return oneOf<Json>(ref("party"), ...inputs.parties, "no-party");
}
