import { Body } from "../../../src/foundation/http/body.ts";
import type { Handler } from "../../../src/foundation/http/handler.ts";
import type { Request } from "../../../src/foundation/http/request.ts";
import { isJsonObject, type Json, type JsonObject, jsonOf } from "../../../src/foundation/json/json.ts";
import { app } from "../../acceptance/_probed.ts";
import { isOf, listIn, type Operation, objectIn, requestBody, withBody, withJson } from "../_mutant.ts";
import { forbids, type Plant, requested, requires } from "../sentences/_plant.ts";

/** A server that omits one check or one effect, and is correct in all other respects. */
export type Row = readonly [id: string, plant: Plant, profile?: "spec" | "canton-3.5"];

const synchronizer = "second-domain::12200c3658a471c4732611085ea99d675b626c9a9f409ac0c149df4848e86ee5edc6";
const alice = "alice::12202bd806c97f0e00af1a1fc3328fa763a9269723c8db8fac4f93af71db186d6e90";
const account = { owner: alice, provider: null, id: "" };
const transfer: Json = {
  transfer: {
    sender: account,
    receiver: account,
    amount: "1.0",
    instrumentId: { admin: "DSO::12206c8fd2dd9768e7414dab87a0e087f4f72026463827e6fb17c516cca1a8cc1686", id: "Amulet" },
    requestedAt: "2026-01-01T00:04:00Z",
    executeBefore: "2026-01-02T00:05:00Z",
    inputHoldingCids: [],
    meta: { values: {} },
  },
  actors: [alice],
  extraArgs: { context: { values: {} }, meta: { values: {} } },
};
const signature = {
  format: "SIGNATURE_FORMAT_CONCAT",
  signature: "AAAA",
  signedBy: "1220ab",
  signingAlgorithmSpec: "SIGNING_ALGORITHM_SPEC_ED25519",
};
const signatures: Json = { signatures: [{ party: alice, signatures: [signature] }] };
const vetApp: Json = [{ operation: { Vet: { value: { packages: [{ packageId: app }] } } } }];

type Read = (body: JsonObject, request: Request) => JsonObject | undefined;

/** Handles a request without a member as if it had this value, or the value of the last request with the member. */
function omitting(operation: Operation, name: string, defaultOf: (request: Request) => Json | undefined): Row {
  let last: Json | undefined;
  const plant = requested(operation, (given, request) => {
    if (given[name] === undefined) return { ...given, [name]: defaultOf(request) ?? last ?? null };
    last = given[name];
    return undefined;
  });
  return [`${operation}-without-${name}`, plant];
}

/** Handles a request whose member has another type or value as if it had this value. */
function lenient(id: string, operation: Operation, name: string, isOdd: (value: Json) => boolean, value?: Json): Row {
  const read: Read = (given) => {
    const found = given[name];
    if (found === undefined || found === null || !isOdd(found)) return undefined;
    const { [name]: _, ...rest } = given;
    return value === undefined ? rest : { ...rest, [name]: value };
  };
  return [`${operation}-${id}`, requested(operation, read)];
}

const isNoText = (value: Json) => typeof value !== "string";
const isNoList = (value: Json) => !Array.isArray(value);
const isNoObject = (value: Json) => !isJsonObject(value);
const isNoBoolean = (value: Json) => typeof value !== "boolean";
const isEmptyList = (value: Json) => Array.isArray(value) && value.length === 0;
const userOf = ({ target }: Request) => decodeURIComponent(target.split("/")[3] ?? "");

/** Required members that a server does not require. */
const members: readonly Row[] = [
  omitting("execute", "preparedTransaction", () => undefined),
  omitting("execute", "partySignatures", () => signatures),
  omitting("execute", "submissionId", () => "generated"),
  omitting("execute", "hashingSchemeVersion", () => "HASHING_SCHEME_VERSION_V2"),
  omitting("patch", "user", (request) => userObject(userOf(request))),
  omitting("patch", "updateMask", () => ({ paths: ["is_deactivated"], unknownFields: { fields: {} } })),
  omitting("allocate", "synchronizer", () => synchronizer),
  omitting("allocate", "onboardingTransactions", () => undefined),
  omitting("grant", "userId", userOf),
  omitting("vetting", "changes", () => vetApp),
  omitting("lookup", "choiceArguments", () => transfer),
];

function userObject(id: string): JsonObject {
  const metadata = { resourceVersion: "", annotations: {} };
  return { id, primaryParty: "", isDeactivated: false, identityProviderId: "", metadata };
}

function isOddRight(right: Json): boolean {
  const [[name = "", value = null] = []] = Object.entries(objectIn(objectIn(right)["kind"]));
  const { party } = objectIn(objectIn(value)["value"]);
  return name === "CanDoAnything" || name === "Empty" || (typeof party === "string" && !party.includes("::"));
}

/** Refusals that a server omits. */
const refusals: readonly Row[] = [
  lenient("any-submission-id", "execute", "submissionId", (value) => /[^\w.:#/ -]/.test(String(value)), "generated-1"),
  lenient("submission-id-typed", "execute", "submissionId", isNoText, "generated-2"),
  lenient("signatures-typed", "execute", "partySignatures", isNoObject, signatures),
  lenient("version-typed", "execute", "hashingSchemeVersion", isNoText, "HASHING_SCHEME_VERSION_V2"),
  lenient(
    "version-unknown",
    "execute",
    "hashingSchemeVersion",
    (value) => /V0$/.test(String(value)),
    "HASHING_SCHEME_VERSION_V2",
  ),
  lenient("period-typed", "execute", "deduplicationPeriod", isNoObject, { Empty: {} }),
  lenient("user-id-typed", "execute", "userId", isNoText, "alice"),
  lenient("synchronizer-typed", "allocate", "synchronizer", isNoText, synchronizer),
  lenient("synchronizer-unknown", "allocate", "synchronizer", (value) => !String(value).includes("::"), synchronizer),
  lenient("wait-typed", "allocate", "waitForAllocation", isNoBoolean),
  lenient("hashes-typed", "allocate", "multiHashSignatures", isNoList),
  lenient("user-typed", "allocate", "userId", isNoText),
  lenient("provider-typed", "allocate", "identityProviderId", isNoText),
  lenient("unknown-user", "allocate", "userId", (value) => String(value).endsWith("-unknown"), ""),
  ["allocate-no-transactions", lastTransactions(isEmptyList)],
  ["allocate-transactions-typed", lastTransactions(isNoList)],
  [
    "allocate-invalid-transaction",
    lastTransactions((value) =>
      listIn(value).some((entry) => /[!]|^AAAA$/.test(String(objectIn(entry)["transaction"]))),
    ),
  ],
  [
    "allocate-unsigned",
    lastTransactions(
      (value, given) =>
        isEmptyList(given["multiHashSignatures"] ?? []) &&
        listIn(value).every((entry) => isEmptyList(objectIn(entry)["signatures"] ?? [])),
    ),
  ],
  lenient("rights-typed", "grant", "rights", isNoList, []),
  lenient("provider-typed", "grant", "identityProviderId", isNoText, ""),
  [
    "grant-user-id-typed",
    requested("grant", (given, request) =>
      given["userId"] !== undefined && isNoText(given["userId"]) ? { ...given, userId: userOf(request) } : undefined,
    ),
  ],
  [
    "grant-user-of-path",
    requested("grant", (given, request) =>
      typeof given["userId"] === "string" ? { ...given, userId: userOf(request) } : undefined,
    ),
  ],
  [
    "grant-any-kind",
    requested("grant", (given) =>
      listIn(given["rights"]).some(isOddRight)
        ? { ...given, rights: listIn(given["rights"]).filter((right) => !isOddRight(right)) }
        : undefined,
    ),
  ],
  [
    "patch-user-typed",
    requested("patch", (given, request) =>
      given["user"] !== undefined && isNoObject(given["user"])
        ? { ...given, user: userObject(userOf(request)) }
        : undefined,
    ),
  ],
  [
    "patch-mask-typed",
    requested("patch", (given) =>
      given["updateMask"] !== undefined && isNoObject(given["updateMask"])
        ? { ...given, updateMask: { paths: ["is_deactivated"], unknownFields: { fields: {} } } }
        : undefined,
    ),
  ],
  [
    "patch-user-of-path",
    requested("patch", (given, request) =>
      isJsonObject(given["user"]) ? { ...given, user: { ...given["user"], id: userOf(request) } } : undefined,
    ),
  ],
  [
    "patch-member-typed",
    requested("patch", (given) =>
      isJsonObject(given["user"]) && typeof given["user"]["isDeactivated"] === "string"
        ? { ...given, user: { ...given["user"], isDeactivated: true } }
        : undefined,
    ),
  ],
  [
    "patch-paths-typed",
    requested("patch", (given) => maskWith(given, (paths) => (typeof paths === "string" ? [paths] : undefined))),
  ],
  [
    "patch-no-paths",
    requested("patch", (given) => maskWith(given, (paths) => (isEmptyList(paths) ? ["is_deactivated"] : undefined))),
  ],
  [
    "patch-path-twice",
    requested("patch", (given) =>
      maskWith(given, (paths) =>
        Array.isArray(paths) && new Set(paths).size < paths.length ? [...new Set(paths)] : undefined,
      ),
    ),
  ],
  lenient("no-changes", "vetting", "changes", isEmptyList, vetApp),
  lenient("changes-typed", "vetting", "changes", isNoList, vetApp),
  lenient("dry-run-typed", "vetting", "dryRun", isNoBoolean, true),
  lenient("synchronizer-typed", "vetting", "synchronizerId", isNoText, synchronizer),
  lenient("synchronizer-unknown", "vetting", "synchronizerId", (value) => !String(value).includes("::"), synchronizer),
  lenient("flags-typed", "vetting", "updateVettedPackagesForceFlags", isNoList, []),
  lenient("debug-typed", "lookup", "excludeDebugFields", isNoBoolean, true),
  lenient("arguments-typed", "lookup", "choiceArguments", isNoObject, transfer),
];

function maskWith(given: JsonObject, change: (paths: Json) => Json | undefined): JsonObject | undefined {
  const mask = objectIn(given["updateMask"]);
  const paths = mask["paths"] === undefined ? undefined : change(mask["paths"]);
  return paths === undefined ? undefined : { ...given, updateMask: { ...mask, paths } };
}

/** Handles an allocation with odd transactions as if it had correct ones of another party. */
function lastTransactions(isOdd: (value: Json, given: JsonObject) => boolean): Plant {
  return (inner) => {
    let last: JsonObject | undefined;
    return async (request) => {
      const given = requestBody(request);
      const value = given["onboardingTransactions"];
      if (!isOf("allocate", request) || value === undefined) return inner(request);
      if (!isOdd(value, given)) {
        const found = await inner(request);
        if (found.type === "response" && found.status === 200) last = given;
        return found;
      }
      if (last === undefined) return inner(request);
      // Only the check of the transactions is missing.
      const trial = await inner(
        withBody(request, {
          ...last,
          ...given,
          onboardingTransactions: last["onboardingTransactions"] ?? [],
          multiHashSignatures: last["multiHashSignatures"] ?? [],
        }),
      );
      const isAccepted =
        trial.type === "response" &&
        (trial.status === 200 || trial.status === 409 || trial.body.text().includes("exist"));
      return isAccepted ? response200({ partyId: `party::1220${"ab".repeat(32)}` }) : trial;
    };
  };
}

function response200(json: Json) {
  return withJson(
    { type: "response", status: 200, headers: [["Content-Type", "application/json"]], body: new Body("") },
    json,
  );
}

const optionals: Readonly<Partial<Record<Operation, readonly string[]>>> = {
  execute: ["deduplicationPeriod", "minLedgerTime"],
  allocate: ["multiHashSignatures", "identityProviderId", "waitForAllocation", "userId"],
  grant: ["rights", "identityProviderId"],
  vetting: ["dryRun", "expectedTopologySerial", "updateVettedPackagesForceFlags"],
  lookup: ["excludeDebugFields"],
};

const isOperation = (name: string): name is Operation => Object.hasOwn(optionals, name);

/** Optional members that a server requires or refuses. */
const acceptances: readonly Row[] = Object.keys(optionals)
  .filter(isOperation)
  .flatMap((operation) =>
    (optionals[operation] ?? []).flatMap((name): Row[] => [
      [`${operation}-requires-${name}`, requires(operation, name)],
      [`${operation}-forbids-${name}`, forbids(operation, name)],
    ]),
  );

/** Changes every user that a response shows. */
function shown(
  operations: readonly ("users" | "patch")[],
  change: (user: JsonObject, request: Request) => JsonObject,
): Plant {
  return (inner) => async (request) => {
    const found = await inner(request);
    const operation = operations.find((name) => isOf(name, request));
    if (operation === undefined || found.type === "broken" || found.status !== 200) return found;
    const given = objectIn(jsonOf(found.body.text()));
    return withJson(
      found,
      operation === "patch"
        ? { ...given, user: change(objectIn(given["user"]), request) }
        : { ...given, users: listIn(given["users"]).map((user) => change(objectIn(user), request)) },
    );
  };
}

/** An update that sets a further member of the user, in the state. */
function updatesToo(path: string, members: JsonObject): Plant {
  return requested("patch", (given) => {
    const mask = objectIn(given["updateMask"]);
    const paths = listIn(mask["paths"]);
    if (paths.length !== 1 || paths.includes(path)) return undefined;
    return {
      ...given,
      user: { ...objectIn(given["user"]), ...members },
      updateMask: { ...mask, paths: [...paths, path] },
    };
  });
}

function ofStatus(statusOf: (status: Json, id: string) => Json): Plant {
  return (inner) => async (request) => {
    const found = await inner(request);
    if (!isOf("status", request) || found.type === "broken" || found.status !== 200) return found;
    const { packageStatus = null } = objectIn(jsonOf(found.body.text()));
    return withJson(found, { packageStatus: statusOf(packageStatus, request.target.split("/")[3] ?? "") });
  };
}

/** Grants rights beside the request, after a successful allocation. */
function afterAllocation(
  callOf: (given: JsonObject, party: string) => readonly [user: string, party: string] | undefined,
): Plant {
  return (inner, token): Handler =>
    async (request) => {
      const found = await inner(request);
      if (!isOf("allocate", request) || found.type === "broken" || found.status !== 200) return found;
      const party = String(objectIn(jsonOf(found.body.text()))["partyId"]);
      const call = callOf(requestBody(request), party);
      if (call === undefined) return found;
      const [userId, granted] = call;
      const rights = [{ kind: { CanActAs: { value: { party: granted } } } }];
      await inner({
        method: "POST",
        target: `/v2/users/${userId}/rights`,
        headers: [
          ["Authorization", `Bearer ${token}`],
          ["Content-Type", "application/json"],
        ],
        body: new Body(JSON.stringify({ userId, rights, identityProviderId: "" })),
      });
      return found;
    };
}

const zero = "PACKAGE_STATUS_UNSPECIFIED";
const isFor = (given: JsonObject) => typeof given["userId"] === "string" && given["userId"] !== "";

/** Effects that a server omits or adds. */
const effects: readonly Row[] = [
  ["allocate-no-rights", requested("allocate", (given) => ({ ...given, userId: "" }))],
  [
    "allocate-rights-to-another",
    requested("allocate", (given) => (isFor(given) ? { ...given, userId: "alice" } : undefined)),
  ],
  [
    "allocate-rights-to-the-caller",
    afterAllocation((given, party) => (isFor(given) ? undefined : ["participant_admin", party])),
  ],
  ["allocate-rights-for-no-user", afterAllocation((given, party) => (isFor(given) ? undefined : ["alice", party]))],
  ["allocate-rights-to-another-too", afterAllocation((given, party) => (isFor(given) ? ["alice", party] : undefined))],
  [
    "allocate-same-party",
    (inner) => {
      let first: Json | undefined;
      return async (request) => {
        const found = await inner(request);
        if (!isOf("allocate", request) || found.type === "broken" || found.status !== 200) return found;
        first ??= jsonOf(found.body.text());
        return withJson(found, first ?? {});
      };
    },
  ],
  [
    "grant-not-kept",
    (inner) => async (request) => {
      if (!isOf("grant", request) || listIn(requestBody(request)["rights"]).length === 0) return inner(request);
      const { rights = [] } = requestBody(request);
      const found = await inner(withBody(request, { ...requestBody(request), rights: [] }));
      return found.type === "response" && found.status === 200
        ? withJson(found, { newlyGrantedRights: rights })
        : found;
    },
  ],
  [
    "grant-to-another",
    (inner) => async (request) =>
      isOf("grant", request) &&
      listIn(requestBody(request)["rights"]).length > 0 &&
      userOf(request).startsWith("understudy")
        ? inner(
            withBody({ ...request, target: "/v2/users/alice/rights" }, { ...requestBody(request), userId: "alice" }),
          )
        : inner(request),
  ],
  [
    "grant-read-for-act",
    requested("grant", (given) => ({
      ...given,
      rights: listIn(given["rights"]).map(
        (right) => jsonOf(JSON.stringify(right).replace("CanActAs", "CanReadAs")) ?? right,
      ),
    })),
  ],
  [
    "grant-first-right-only",
    requested("grant", (given) =>
      listIn(given["rights"]).length > 1 ? { ...given, rights: listIn(given["rights"]).slice(0, 1) } : undefined,
    ),
  ],
  [
    "grant-deactivates",
    (inner) => {
      const granted = new Set<string>();
      const changed = shown(["users", "patch"], (user) =>
        granted.has(String(user["id"])) ? { ...user, isDeactivated: true } : user,
      )(inner, "");
      return async (request) => {
        if (isOf("grant", request)) granted.add(userOf(request));
        return changed(request);
      };
    },
  ],
  ["patch-clears-party", updatesToo("primary_party", { primaryParty: "" })],
  ["patch-activates", updatesToo("is_deactivated", { isDeactivated: false })],
  [
    "patch-clears-annotations",
    updatesToo("metadata.annotations", { metadata: { resourceVersion: "", annotations: {} } }),
    "canton-3.5",
  ],
  ["patch-lists-cleared-party", shown(["users"], (user) => ({ ...user, primaryParty: "" }))],
  ["patch-lists-as-active", shown(["users"], (user) => ({ ...user, isDeactivated: false }))],
  [
    "patch-lists-no-annotations",
    shown(["users"], (user) => ({ ...user, metadata: { ...objectIn(user["metadata"]), annotations: {} } })),
    "canton-3.5",
  ],
  [
    "version-frozen",
    shown(["users", "patch"], (user) => ({
      ...user,
      metadata: { ...objectIn(user["metadata"]), resourceVersion: "0" },
    })),
  ],
  [
    "version-frozen-in-patch",
    shown(["patch"], (user) => ({ ...user, metadata: { ...objectIn(user["metadata"]), resourceVersion: "0" } })),
  ],
  [
    "version-never-checked",
    requested("patch", (given) => {
      const user = objectIn(given["user"]);
      const metadata = objectIn(user["metadata"]);
      return /^\d+$/.test(String(metadata["resourceVersion"]))
        ? { ...given, user: { ...user, metadata: { ...metadata, resourceVersion: "" } } }
        : undefined;
    }),
  ],
  ["offset-beyond-ledger-end", offsets((offset) => offset + 1_000_000n)],
  [
    "offset-falling",
    (inner) => {
      let count = 0n;
      return offsets(() => {
        count += 1n;
        return 1_000_000n - count;
      })(inner, "");
    },
  ],
  ["status-always-registered", ofStatus(() => "PACKAGE_STATUS_REGISTERED")],
  ["status-always-zero", ofStatus(() => zero)],
  ["status-swapped", ofStatus((status) => (status === zero ? "PACKAGE_STATUS_REGISTERED" : zero))],
  ["status-of-vettable-zero", ofStatus((status, id) => (id === app ? zero : status))],
  [
    "executed-twice",
    (inner) => {
      const first = new Set<string>();
      return async (request) => {
        const found = await inner(request);
        if (!isOf("execute", request) || found.type === "broken") return found;
        const transaction = String(requestBody(request)["preparedTransaction"]);
        if (found.status === 409 && first.has(transaction))
          return response200({
            updateId: `1220${first.size}${Math.floor(found.body.text().length)}ab`,
            completionOffset: 5_000,
          });
        first.add(transaction);
        return found;
      };
    },
  ],
  ["own-page-token-refused", pagesRefused(/pageToken=[^&]/)],
  ["empty-page-token-refused", pagesRefused(/pageToken=(?:&|$)/)],
  ["user-missing-from-walk", shownUsers((id) => !/-2$|-user$/.test(id))],
  [
    "right-new-twice",
    (inner) => async (request) => {
      const found = await inner(request);
      if (!isOf("grant", request) || found.type === "broken" || found.status !== 200) return found;
      return withJson(found, { newlyGrantedRights: requestBody(request)["rights"] ?? [] });
    },
  ],
];

function offsets(offsetOf: (offset: bigint) => bigint): Plant {
  return (inner) => async (request) => {
    const found = await inner(request);
    if (!isOf("execute", request) || found.type === "broken" || found.status !== 200) return found;
    const given = objectIn(jsonOf(found.body.text()));
    return withJson(found, { ...given, completionOffset: offsetOf(BigInt(String(given["completionOffset"]))) });
  };
}

function pagesRefused(pattern: RegExp): Plant {
  return (inner) => async (request) =>
    isOf("users", request) && pattern.test(request.target)
      ? {
          type: "response",
          status: 400,
          headers: [["Content-Type", "text/plain"]],
          body: new Body("Invalid value for: query parameter pageToken"),
        }
      : inner(request);
}

function shownUsers(isShown: (id: string) => boolean): Plant {
  return (inner) => async (request) => {
    const found = await inner(request);
    if (!isOf("users", request) || found.type === "broken" || found.status !== 200) return found;
    const given = objectIn(jsonOf(found.body.text()));
    return withJson(found, {
      ...given,
      users: listIn(given["users"]).filter((user) => isShown(String(objectIn(user)["id"]))),
    });
  };
}

export const rows: readonly Row[] = [...members, ...refusals, ...acceptances, ...effects];
