import type { Arbitrary } from "fast-check";
import type { Json } from "../../foundation/json/json.ts";
import { call, type Generators, members, oneOf, sequence, type Weighted, weighted } from "./_generators.ts";
import type { Prepared } from "./inputs.ts";
import { own, recall, type Step } from "./step.ts";
import { choiceContext } from "./steps-on-the-registry.ts";

const unknownPackage = "c".repeat(64);

/** Steps on packages, parties, identity providers and submissions. */
export function stepsOnTheLedger(drawing: Generators): readonly Weighted<Step>[] {
  const { material } = drawing;
  const packageId = oneOf<Json>(drawing, unknownPackage, ...material.packages.map(({ id }) => id), " ", "a.b");
  const executions = material.preparedTransactions.map(({ value, actAs }) => ({
    arbitrary: executing(drawing, value, actAs),
    weight: 3,
  }));
  return [
    { arbitrary: call(drawing, "getV2PackagesPackage-idStatus", { path: { "package-id": packageId } }), weight: 4 },
    { arbitrary: call(drawing, "getV2Idps"), weight: 1 },
    { arbitrary: vetting(drawing, "postV2Package-vetting"), weight: 12 },
    { arbitrary: vetting(drawing, "postV2Package-vettingUpdate"), weight: 3 },
    { arbitrary: call(drawing, "postV2Package-vettingList", { body: drawing.fc.constant({}) }), weight: 5 },
    ...executions,
    { arbitrary: executing(drawing, "AAAA", material.parties.slice(0, 1)), weight: 1 },
    { arbitrary: call(drawing, "getV2StateLedger-end"), weight: 3 },
    { arbitrary: updateRead(drawing), weight: 3 },
    { arbitrary: topologyMade(drawing), weight: 3 },
    { arbitrary: allocating(drawing), weight: 5 },
    { arbitrary: call(drawing, "getV2Parties"), weight: 2 },
    { arbitrary: call(drawing, "getV2PartiesParty", { path: { party: partyIn(drawing) } }), weight: 2 },
  ];
}

/** A party comes, whatever the scenario declares as prepared is submitted, and the receiver of an offer goes on. */
export function sequencesOnTheLedger(drawing: Generators): readonly Weighted<readonly Step[]>[] {
  const { fc, material } = drawing;
  const isKnown = ({ actAs }: Prepared) => actAs.every((id) => material.parties.includes(id));
  const declared = [
    ...material.preparedTransactions.filter((prepared) => !isKnown(prepared)),
    ...material.preparedTransactions.filter(isKnown),
  ].slice(0, 3);
  const steps = fc.tuple(
    topologyMade(drawing),
    allocating(drawing),
    ...declared.map(({ value, actAs }) => executing(drawing, value, actAs)),
    call(drawing, "getWorld", { path: { world: oneOf<Json>(drawing, "default") } }),
    choiceContext(drawing, "Accept"),
    call(drawing, "getV2StateLedger-end"),
    updateRead(drawing),
  );
  return [{ arbitrary: sequence(drawing, declared.length + 6, steps), weight: 6 }];
}

function vetting(drawing: Generators, operationId: string): Arbitrary<Step> {
  const { fc, material } = drawing;
  const known = material.packages.flatMap(({ id, name, version }): Json[] => [
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
    drawing,
    oneOf<Json>(drawing, ...orElse(known, strange)),
    oneOf<Json>(drawing, ...strange),
  );
  const packages = fc.array(reference, { minLength: 1, maxLength: 2, size: "max" });
  const bounds = {
    "newValidFromInclusive?": oneOf<Json>(drawing, material.past, material.future),
    "newValidUntilExclusive?": oneOf<Json>(drawing, material.future, material.past),
  };
  const vet = members(drawing, { packages, ...bounds }).map((value): Json => ({ operation: { Vet: { value } } }));
  const unvet = packages.map((named): Json => ({ operation: { Unvet: { value: { packages: named } } } }));
  const change = weighted(drawing, fc.oneof(vet, unvet), oneOf<Json>(drawing, { operation: { Empty: {} } }, {}));
  const serial = weighted(
    drawing,
    oneOf<Json>(drawing, { Empty: {} }, { Prior: { value: 1 } }),
    oneOf<Json>(drawing, { NoPrior: {} }, { Prior: { value: 0 } }),
  );
  const force = ["UPDATE_VETTED_PACKAGES_FORCE_FLAG_ALLOW_UNVETTED_DEPENDENCIES"];
  const body = members(drawing, {
    changes: weighted<Json>(
      drawing,
      fc.array(change, { minLength: 1, maxLength: 2, size: "max" }),
      oneOf<Json>(drawing, []),
    ),
    synchronizerId: synchronizer(drawing),
    "dryRun?": oneOf<Json>(drawing, true, false),
    "expectedTopologySerial?": serial.map((named): Json => ({ serial: named })),
    "updateVettedPackagesForceFlags?": oneOf<Json>(drawing, [], force),
  });
  return call(drawing, operationId, { body });
}

/** A fixture may have none of something. */
function orElse(known: readonly Json[], strange: readonly Json[]): readonly Json[] {
  return known.length === 0 ? strange : known;
}

function synchronizer(drawing: Generators): Arbitrary<Json> {
  const ids = drawing.material.synchronizers.map(({ id }) => id);
  const unknown = `nowhere::1220${"d".repeat(64)}`;
  return weighted(drawing, oneOf<Json>(drawing, ...orElse(ids, [unknown])), oneOf<Json>(drawing, unknown, "", "x"));
}

/** A submission of a prepared transaction that the scenario declares; nothing here can sign. */
function executing(drawing: Generators, preparedTransaction: string, actAs: readonly string[]): Arbitrary<Step> {
  const signature = {
    format: "SIGNATURE_FORMAT_CONCAT",
    signature: "AAAA",
    signedBy: `1220${"a".repeat(64)}`,
    signingAlgorithmSpec: "SIGNING_ALGORITHM_SPEC_ED25519",
  };
  const signed: Json = { signatures: actAs.map((party) => ({ party, signatures: [signature] })) };
  const scheme = (name: string) => `HASHING_SCHEME_VERSION_${name}`;
  const body = members(drawing, {
    preparedTransaction: oneOf<Json>(drawing, preparedTransaction),
    partySignatures: weighted(drawing, oneOf<Json>(drawing, signed), oneOf<Json>(drawing, { signatures: [] })),
    submissionId: weighted(drawing, oneOf<Json>(drawing, "first", "second", ""), oneOf<Json>(drawing, "no@string")),
    hashingSchemeVersion: weighted(
      drawing,
      oneOf<Json>(drawing, scheme("V2")),
      oneOf<Json>(drawing, scheme("UNSPECIFIED"), scheme("V9")),
    ),
    deduplicationPeriod: weighted(
      drawing,
      oneOf<Json>(drawing, { Empty: {} }),
      oneOf<Json>(drawing, { DeduplicationOffset: { value: -1 } }),
    ),
  });
  return call(drawing, "postV2Interactive-submissionExecuteandwait", { body });
}

function updateRead(drawing: Generators): Arbitrary<Step> {
  const everything = {
    cumulative: [{ identifierFilter: { WildcardFilter: { value: { includeCreatedEventBlob: false } } } }],
  };
  const filtersByParty = Object.fromEntries(drawing.material.parties.slice(0, 1).map((party) => [party, everything]));
  const body: Json = {
    updateId: recall("updateId"),
    updateFormat: {
      includeTransactions: {
        eventFormat: { filtersByParty, verbose: false },
        transactionShape: "TRANSACTION_SHAPE_ACS_DELTA",
      },
    },
  };
  return call(drawing, "postV2UpdatesUpdate-by-id", { body: oneOf<Json>(drawing, body) });
}

/** A party that prepared transactions of the fixtures speak of without its being there, or another one. */
function topologyMade(drawing: Generators): Arbitrary<Step> {
  const { fc } = drawing;
  const named = weighted<Json>(
    drawing,
    oneOf<Json>(drawing, ["nina", "n"]),
    oneOf<Json>(drawing, ["walker", "w"], ["", "w"]),
  );
  const step = call(drawing, "postV2PartiesExternalGenerate-topology", { body: fc.constant({}) });
  return fc
    .record({ step, named, synchronizer: synchronizer(drawing) })
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

function allocating(drawing: Generators): Arbitrary<Step> {
  const signature = {
    format: "SIGNATURE_FORMAT_CONCAT",
    signature: "AAAA",
    signedBy: recall("fingerprint"),
    signingAlgorithmSpec: "SIGNING_ALGORITHM_SPEC_ED25519",
  };
  const body = members(drawing, {
    synchronizer: synchronizer(drawing),
    onboardingTransactions: weighted<Json>(
      drawing,
      oneOf<Json>(drawing, [{ transaction: recall("topology"), signatures: [] }]),
      oneOf<Json>(drawing, [], [{ transaction: "AAAA", signatures: [] }]),
    ),
    multiHashSignatures: weighted<Json>(drawing, oneOf<Json>(drawing, [signature]), oneOf<Json>(drawing, [])),
    "userId?": weighted(
      drawing,
      oneOf<Json>(drawing, "", ...drawing.material.users.slice(0, 1)),
      oneOf<Json>(drawing, own(1), "nobody-here"),
    ),
    "waitForAllocation?": oneOf<Json>(drawing, true, false),
    "identityProviderId?": weighted(drawing, oneOf<Json>(drawing, ""), oneOf<Json>(drawing, "none-such")),
  });
  return call(drawing, "postV2PartiesExternalAllocate", { body });
}

function partyIn(drawing: Generators): Arbitrary<Json> {
  return oneOf<Json>(drawing, recall("party"), ...drawing.material.parties, "no-party");
}
