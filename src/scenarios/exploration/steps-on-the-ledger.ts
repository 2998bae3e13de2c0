import type { Arbitrary } from "fast-check";
import type { Json } from "../../foundation/json/json.ts";
import { call, type Generators, members, oneOf, sequence, type Weighted, weighted } from "./_generators.ts";
import type { PreparedInput } from "./inputs.ts";
import { ownUser, ref, type Step } from "./step.ts";
import { choiceContext } from "./steps-on-the-registry.ts";

const unknownPackage = "c".repeat(64);

/** Steps on packages, parties, identity providers and submissions. */
export function stepsOnTheLedger(generators: Generators): readonly Weighted<Step>[] {
  const { inputs } = generators;
  const packageId = oneOf<Json>(generators, unknownPackage, ...inputs.packages.map(({ id }) => id), " ", "a.b");
  const executions = inputs.preparedTransactions.map(({ value, actAs }) => ({
    arbitrary: executing(generators, value, actAs),
    weight: 3,
  }));
  return [
    { arbitrary: call(generators, "getV2PackagesPackage-idStatus", { path: { "package-id": packageId } }), weight: 4 },
    { arbitrary: call(generators, "getV2Idps"), weight: 1 },
    { arbitrary: vetting(generators, "postV2Package-vetting"), weight: 12 },
    { arbitrary: vetting(generators, "postV2Package-vettingUpdate"), weight: 3 },
    { arbitrary: call(generators, "postV2Package-vettingList", { body: generators.fc.constant({}) }), weight: 5 },
    ...executions,
    { arbitrary: executing(generators, "AAAA", inputs.parties.slice(0, 1)), weight: 1 },
    { arbitrary: call(generators, "getV2StateLedger-end"), weight: 3 },
    { arbitrary: updateRead(generators), weight: 3 },
    { arbitrary: topologyMade(generators), weight: 3 },
    { arbitrary: allocating(generators), weight: 5 },
    { arbitrary: call(generators, "getV2Parties"), weight: 2 },
    { arbitrary: call(generators, "getV2PartiesParty", { path: { party: partyIn(generators) } }), weight: 2 },
  ];
}

/** Sequences that allocate a party, execute the scenario's prepared transactions, and accept an offer. */
export function sequencesOnTheLedger(generators: Generators): readonly Weighted<readonly Step[]>[] {
  const { fc, inputs } = generators;
  const isKnown = ({ actAs }: PreparedInput) => actAs.every((id) => inputs.parties.includes(id));
  const declared = [
    ...inputs.preparedTransactions.filter((prepared) => !isKnown(prepared)),
    ...inputs.preparedTransactions.filter(isKnown),
  ].slice(0, 3);
  const steps = fc.tuple(
    topologyMade(generators),
    allocating(generators),
    ...declared.map(({ value, actAs }) => executing(generators, value, actAs)),
    call(generators, "getWorld", { path: { world: oneOf<Json>(generators, "default") } }),
    choiceContext(generators, "Accept"),
    call(generators, "getV2StateLedger-end"),
    updateRead(generators),
  );
  return [{ arbitrary: sequence(generators, declared.length + 6, steps), weight: 6 }];
}

function vetting(generators: Generators, operationId: string): Arbitrary<Step> {
  const { fc, inputs } = generators;
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
  const reference = weighted(
    generators,
    oneOf<Json>(generators, ...orElse(known, strange)),
    oneOf<Json>(generators, ...strange),
  );
  const packages = fc.array(reference, { minLength: 1, maxLength: 2, size: "max" });
  const bounds = {
    "newValidFromInclusive?": oneOf<Json>(generators, inputs.past, inputs.future),
    "newValidUntilExclusive?": oneOf<Json>(generators, inputs.future, inputs.past),
  };
  const vet = members(generators, { packages, ...bounds }).map((value): Json => ({ operation: { Vet: { value } } }));
  const unvet = packages.map((named): Json => ({ operation: { Unvet: { value: { packages: named } } } }));
  const change = weighted(generators, fc.oneof(vet, unvet), oneOf<Json>(generators, { operation: { Empty: {} } }, {}));
  const serial = weighted(
    generators,
    oneOf<Json>(generators, { Empty: {} }, { Prior: { value: 1 } }),
    oneOf<Json>(generators, { NoPrior: {} }, { Prior: { value: 0 } }),
  );
  const force = ["UPDATE_VETTED_PACKAGES_FORCE_FLAG_ALLOW_UNVETTED_DEPENDENCIES"];
  const body = members(generators, {
    changes: weighted<Json>(
      generators,
      fc.array(change, { minLength: 1, maxLength: 2, size: "max" }),
      oneOf<Json>(generators, []),
    ),
    synchronizerId: synchronizer(generators),
    "dryRun?": oneOf<Json>(generators, true, false),
    "expectedTopologySerial?": serial.map((named): Json => ({ serial: named })),
    "updateVettedPackagesForceFlags?": oneOf<Json>(generators, [], force),
  });
  return call(generators, operationId, { body });
}

/** The alternative for fixtures without entries of a kind. */
function orElse(known: readonly Json[], strange: readonly Json[]): readonly Json[] {
  return known.length === 0 ? strange : known;
}

function synchronizer(generators: Generators): Arbitrary<Json> {
  const ids = generators.inputs.synchronizers.map(({ id }) => id);
  const unknown = `nowhere::1220${"d".repeat(64)}`;
  return weighted(
    generators,
    oneOf<Json>(generators, ...orElse(ids, [unknown])),
    oneOf<Json>(generators, unknown, "", "x"),
  );
}

/** Executes a prepared transaction of the scenario with a placeholder signature. */
function executing(generators: Generators, preparedTransaction: string, actAs: readonly string[]): Arbitrary<Step> {
  const signature = {
    format: "SIGNATURE_FORMAT_CONCAT",
    signature: "AAAA",
    signedBy: `1220${"a".repeat(64)}`,
    signingAlgorithmSpec: "SIGNING_ALGORITHM_SPEC_ED25519",
  };
  const signed: Json = { signatures: actAs.map((party) => ({ party, signatures: [signature] })) };
  const scheme = (name: string) => `HASHING_SCHEME_VERSION_${name}`;
  const body = members(generators, {
    preparedTransaction: oneOf<Json>(generators, preparedTransaction),
    partySignatures: weighted(generators, oneOf<Json>(generators, signed), oneOf<Json>(generators, { signatures: [] })),
    submissionId: weighted(
      generators,
      oneOf<Json>(generators, "first", "second", ""),
      oneOf<Json>(generators, "no@string"),
    ),
    hashingSchemeVersion: weighted(
      generators,
      oneOf<Json>(generators, scheme("V2")),
      oneOf<Json>(generators, scheme("UNSPECIFIED"), scheme("V9")),
    ),
    deduplicationPeriod: weighted(
      generators,
      oneOf<Json>(generators, { Empty: {} }),
      oneOf<Json>(generators, { DeduplicationOffset: { value: -1 } }),
    ),
  });
  return call(generators, "postV2Interactive-submissionExecuteandwait", { body });
}

function updateRead(generators: Generators): Arbitrary<Step> {
  const everything = {
    cumulative: [{ identifierFilter: { WildcardFilter: { value: { includeCreatedEventBlob: false } } } }],
  };
  const filtersByParty = Object.fromEntries(generators.inputs.parties.slice(0, 1).map((party) => [party, everything]));
  const body: Json = {
    updateId: ref("updateId"),
    updateFormat: {
      includeTransactions: {
        eventFormat: { filtersByParty, verbose: false },
        transactionShape: "TRANSACTION_SHAPE_ACS_DELTA",
      },
    },
  };
  return call(generators, "postV2UpdatesUpdate-by-id", { body: oneOf<Json>(generators, body) });
}

/** Generates the topology of a party: `nina`, which the fixtures' prepared transactions name, or another. */
function topologyMade(generators: Generators): Arbitrary<Step> {
  const { fc } = generators;
  const named = weighted<Json>(
    generators,
    oneOf<Json>(generators, ["nina", "n"]),
    oneOf<Json>(generators, ["walker", "w"], ["", "w"]),
  );
  const step = call(generators, "postV2PartiesExternalGenerate-topology", { body: fc.constant({}) });
  return fc
    .record({ step, named, synchronizer: synchronizer(generators) })
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

function allocating(generators: Generators): Arbitrary<Step> {
  const signature = {
    format: "SIGNATURE_FORMAT_CONCAT",
    signature: "AAAA",
    signedBy: ref("fingerprint"),
    signingAlgorithmSpec: "SIGNING_ALGORITHM_SPEC_ED25519",
  };
  const body = members(generators, {
    synchronizer: synchronizer(generators),
    onboardingTransactions: weighted<Json>(
      generators,
      oneOf<Json>(generators, [{ transaction: ref("topology"), signatures: [] }]),
      oneOf<Json>(generators, [], [{ transaction: "AAAA", signatures: [] }]),
    ),
    multiHashSignatures: weighted<Json>(generators, oneOf<Json>(generators, [signature]), oneOf<Json>(generators, [])),
    "userId?": weighted(
      generators,
      oneOf<Json>(generators, "", ...generators.inputs.users.slice(0, 1)),
      oneOf<Json>(generators, ownUser(1), "unknown-user"),
    ),
    "waitForAllocation?": oneOf<Json>(generators, true, false),
    "identityProviderId?": weighted(generators, oneOf<Json>(generators, ""), oneOf<Json>(generators, "none-such")),
  });
  return call(generators, "postV2PartiesExternalAllocate", { body });
}

function partyIn(generators: Generators): Arbitrary<Json> {
  return oneOf<Json>(generators, ref("party"), ...generators.inputs.parties, "no-party");
}
