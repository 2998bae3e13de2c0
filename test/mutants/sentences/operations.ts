import { isJsonObject, type Json, type JsonObject, jsonOf } from "../../../src/foundation/json/json.ts";
import { isOf, json, listIn, objectIn, requestBody, withJson } from "../_mutant.ts";
import {
  accepts,
  acceptsTyped,
  acceptsWithout,
  body,
  connectedToOne,
  forbids,
  ledgerError,
  member,
  type Plant,
  type Row,
  refuses,
  requested,
  requires,
  response,
  target,
} from "./_plant.ts";

const optional = "4.2: the member is not required.";
const required = "4.2: the member is required.";
const paging =
  "4.2: maximum number of elements in a returned page; otherwise a token taken from the previous page result.";
const empty = "4.2: pageToken: empty or omitted starts from the beginning.";

function replaced(pattern: RegExp, by: string): Plant {
  return target("users", (given) => given.replace(pattern, by));
}

const users: readonly Row[] = [
  [
    "page-token-empty-refused",
    empty,
    response("users", 200, (_, request) =>
      /pageToken=(?:&|$)/.test(request.target)
        ? { type: "response", status: 400, headers: [["Content-Type", "text/plain"]], body: textBody }
        : undefined,
    ),
  ],
  [
    "page-token-empty-is-the-end",
    empty,
    body("users", 200, (_, request) =>
      /pageToken=(?:&|$)/.test(request.target) ? { users: [], nextPageToken: "" } : undefined,
    ),
  ],
  [
    "page-token-empty-skips",
    empty,
    body("users", 200, (given, request) =>
      /pageToken=(?:&|$)/.test(request.target) ? { ...given, users: listIn(given["users"]).slice(1) } : undefined,
    ),
  ],
  [
    "page-size-absent-refused",
    "4.2: pageSize (integer int32, optional).",
    refuses("users", (_, request) => !request.target.includes("pageSize=")),
  ],
  [
    "page-size-present-refused",
    "4.2: pageSize (integer int32, optional).",
    refuses("users", (_, request) => request.target.includes("pageSize=")),
  ],
  ["page-size-ignored", paging, replaced(/pageSize=[1-9]\d*/, "pageSize=1000")],
  ["page-size-zero-gives-users", paging, replaced(/pageSize=0(?=&|$)/, "pageSize=100"), "spec"],
  [
    "page-size-plus-one",
    paging,
    target("users", (given) =>
      given.replace(/pageSize=(\d{1,3})(?=&|$)/, (_, size: string) => `pageSize=${Number(size) + 1}`),
    ),
  ],
  ["page-size-text", "4.2: pageSize (integer int32).", replaced(/pageSize=[^&\d-][^&]*/, "pageSize=2")],
  ["page-size-fraction", "4.2: pageSize (integer int32).", replaced(/pageSize=\d+\.\d+/, "pageSize=2")],
  ["page-size-beyond-int32", "4.2: pageSize (integer int32).", replaced(/pageSize=\d{10,}/, "pageSize=2")],
  ["page-token-ignored", paging, replaced(/&?pageToken=[^&]*/, "")],
  ["page-token-null", "4.2: nextPageToken (string).", member("users", "nextPageToken", null)],
  ["page-token-number", "4.2: nextPageToken (string).", member("users", "nextPageToken", 7)],
  [
    "page-token-missing-early",
    "4.2: empty when there are no further results.",
    body("users", 200, (given, request) =>
      /pageSize=[12]\b/.test(request.target) ? { ...given, nextPageToken: "" } : undefined,
    ),
  ],
  [
    "page-token-for-ever",
    "4.2: empty when there are no further results.",
    body("users", 200, (given) => (given["nextPageToken"] === "" ? { ...given, nextPageToken: "AAAA" } : undefined)),
  ],
  [
    "page-first-user-missing",
    "4.2: Lists all existing users.",
    body("users", 200, (given, request) =>
      request.target.includes("pageToken=") ? { ...given, users: listIn(given["users"]).slice(1) } : undefined,
    ),
  ],
  [
    "page-user-twice",
    "4.2: a subset of the node's users.",
    body("users", 200, (given) => ({
      ...given,
      users: [...listIn(given["users"]), ...listIn(given["users"]).slice(0, 1)],
    })),
  ],
  [
    "users-new-one-missing",
    "4.2: Lists all existing users.",
    body("users", 200, (given) => ({
      ...given,
      users: listIn(given["users"]).filter((user) => !String(objectIn(user)["id"]).endsWith("-2")),
    })),
  ],
  [
    "users-deactivated-missing",
    "4.2: Lists all existing users.",
    body("users", 200, (given) => ({
      ...given,
      users: listIn(given["users"]).filter((user) => objectIn(user)["isDeactivated"] !== true),
    })),
  ],
  ["users-object", "4.2: users (array of User).", member("users", "users", {})],
  ["users-null", "4.2: users (array of User).", member("users", "users", null)],
];

const textBody = json(400, "bad").body;

const updates: readonly Row[] = [
  ["patch-without-user-accepted", required, acceptsWithout("patch", "user")],
  ["patch-without-mask-accepted", required, acceptsWithout("patch", "updateMask")],
  ["patch-user-of-any-type", "4.2: user (User, required).", acceptsTyped("patch", "user", "object")],
  ["patch-mask-of-any-type", "4.2: updateMask (FieldMask, required).", acceptsTyped("patch", "updateMask", "object")],
  [
    "patch-paths-of-any-type",
    "2.2: paths (array of strings).",
    accepts("patch", (given) => typeof objectIn(objectIn(given)["updateMask"])["paths"] === "string"),
  ],
  [
    "patch-another-path",
    "4.2: Updates selected modifiable attributes of a user.",
    accepts(
      "patch",
      (given, request) => isJsonObject(given) && isElsewhere(objectIn(given["user"])["id"], request.target),
    ),
  ],
  [
    "patch-unknown-user",
    "4.2: Updates selected modifiable attributes of a user.",
    response("patch", 404, (_, request) => json(200, { user: requestBody(request)["user"] ?? null })),
  ],
  ["patch-without-result", "4.2: user (User, required).", member("patch", "user", undefined)],
  ["patch-result-null", "4.2: user (User, required).", member("patch", "user", null)],
  [
    "patch-result-of-another",
    "4.2: user (User, required).",
    body("patch", 200, (given) => ({ user: { ...objectIn(given["user"]), id: "another-user" } })),
  ],
  [
    "patch-changes-nothing",
    "4.2: Updates selected modifiable attributes.",
    requested("patch", (given) => ({
      ...given,
      updateMask: {
        ...objectIn(given["updateMask"]),
        paths: listIn(objectIn(given["updateMask"])["paths"]).map(() => "id"),
      },
    })),
  ],
  [
    "patch-changes-all",
    "4.2: Updates selected modifiable attributes.",
    requested("patch", (given) => {
      const paths = listIn(objectIn(given["updateMask"])["paths"]);
      return paths.length === 1
        ? {
            ...given,
            updateMask: {
              ...objectIn(given["updateMask"]),
              paths: ["primary_party", "is_deactivated", "metadata.annotations"],
            },
          }
        : undefined;
    }),
  ],
  [
    "patch-result-not-updated",
    "4.2: 200 body: user.",
    body("patch", 200, (given, request) => ({
      user: {
        ...objectIn(given["user"]),
        isDeactivated: objectIn(requestBody(request)["user"])["isDeactivated"] !== true,
      },
    })),
  ],
];

function isElsewhere(id: Json | undefined, path: string): boolean {
  return typeof id === "string" && !path.includes(`/${encodeURIComponent(id)}`);
}

const grants: readonly Row[] = [
  ["grant-without-user-id", required, acceptsWithout("grant", "userId")],
  ["grant-user-id-of-any-type", "4.2: userId (string).", acceptsTyped("grant", "userId", "string")],
  ["grant-rights-of-any-type", "4.2: rights (array of Right).", acceptsTyped("grant", "rights", "array")],
  [
    "grant-provider-of-any-type",
    "4.2: identityProviderId (string).",
    acceptsTyped("grant", "identityProviderId", "string"),
  ],
  ["grant-needs-rights", optional, requires("grant", "rights")],
  [
    "grant-needs-some-rights",
    "4.2: rights may be empty.",
    refuses("grant", (given) => Array.isArray(given["rights"]) && given["rights"].length === 0),
  ],
  ["grant-needs-provider", optional, requires("grant", "identityProviderId")],
  ["grant-forbids-provider", optional, forbids("grant", "identityProviderId")],
  [
    "grant-to-two-users",
    "4.2: userId: the user to grant rights to.",
    accepts("grant", (given, request) => isJsonObject(given) && isElsewhere(given["userId"], request.target)),
  ],
  ["grant-result-object", "4.2: newlyGrantedRights (array of Right).", member("grant", "newlyGrantedRights", {})],
  ["grant-result-null", "4.2: newlyGrantedRights (array of Right).", member("grant", "newlyGrantedRights", null)],
  ["grant-result-of-names", "2.2: Right: object.", member("grant", "newlyGrantedRights", ["CanActAs"])],
  ["grant-result-nothing", "4.2: the rights newly granted by this request.", member("grant", "newlyGrantedRights", [])],
  [
    "grant-result-all",
    "4.2: the rights newly granted by this request.",
    body("grant", 200, (_, request) => ({ newlyGrantedRights: requestBody(request)["rights"] ?? [] })),
  ],
  [
    "grant-result-more",
    "4.2: the rights newly granted by this request.",
    body("grant", 200, (given) => ({
      newlyGrantedRights: [...listIn(given["newlyGrantedRights"]), { kind: { ParticipantAdmin: { value: {} } } }],
    })),
  ],
  [
    "grant-result-error",
    "4.2: 200 body: newlyGrantedRights.",
    response("grant", 200, () => json(200, ledgerError(404))),
  ],
];

const vettings: readonly Row[] = [
  [
    "vetting-changes-of-any-type",
    "4.2: changes (array of VettedPackagesChange).",
    acceptsTyped("vetting", "changes", "array"),
  ],
  ["vetting-needs-dry-run", "4.2: dry_run, default false.", requires("vetting", "dryRun")],
  ["vetting-forbids-dry-run", "4.2: dry_run, required: no.", forbids("vetting", "dryRun")],
  [
    "vetting-needs-serial",
    "4.2: expected topology serial, required: no.",
    requires("vetting", "expectedTopologySerial"),
  ],
  [
    "vetting-forbids-serial",
    "4.2: expected topology serial, required: no.",
    forbids("vetting", "expectedTopologySerial"),
  ],
  [
    "vetting-result-empty",
    "4.2: 200 body: a VettedPackages value (required).",
    response("vetting", 200, () => json(200, {})),
  ],
  [
    "vetting-result-list",
    "4.2: 200 body: a VettedPackages value (required).",
    response("vetting", 200, () => json(200, [])),
  ],
  [
    "vetting-dry-run-applied",
    "4.2: When true, changes are only prepared, not applied.",
    requested("vetting", (given) => (given["dryRun"] === true ? { ...given, dryRun: false } : undefined)),
  ],
  [
    "vetting-never-applied",
    "4.2: dry_run, default false.",
    requested("vetting", (given) => ({ ...given, dryRun: true })),
  ],
  [
    "vetting-dry-run-without-errors",
    "4.2: Errors that a real run would raise are also raised in a dry run.",
    response("vetting", undefined, (found, request) =>
      requestBody(request)["dryRun"] === true && found.status >= 400 && found.status !== 401 && found.status !== 403
        ? json(200, { pastVettedPackages: null, newVettedPackages: null })
        : undefined,
    ),
  ],
  [
    "vetting-in-another-order",
    "4.2: Applied in order.",
    requested("vetting", (given) => ({ ...given, changes: listIn(given["changes"]).toReversed() })),
  ],
  [
    "vetting-needs-synchronizer",
    "4.2: If unset and the participant is connected to exactly one synchronizer, that one is used.",
    connectedToOne(requires("vetting", "synchronizerId")),
  ],
  [
    "vetting-named-not-detected",
    "4.2: If unset and the participant is connected to several, the request fails.",
    response("vetting", 200, () =>
      json(400, { ...ledgerError(400), code: "PACKAGE_SERVICE_CANNOT_AUTODETECT_SYNCHRONIZER" }),
    ),
    "canton-3.5",
  ],
  [
    "vetting-another-code",
    "7: PACKAGE_SERVICE_CANNOT_AUTODETECT_SYNCHRONIZER.",
    response("vetting", undefined, (found) =>
      found.body.text().includes("AUTODETECT")
        ? json(found.status, { ...ledgerError(found.status), code: "INVALID_ARGUMENT" })
        : undefined,
    ),
    "canton-3.5",
  ],
  [
    "vetting-others-lost",
    "4.2: Packages not changed keep their previous vetting state.",
    body("vetting", 200, (given) => ({
      ...given,
      newVettedPackages: { ...objectIn(given["newVettedPackages"]), packages: [] },
    })),
    "canton-3.5",
  ],
];

const allocations: readonly Row[] = [
  ["allocate-without-synchronizer", required, acceptsWithout("allocate", "synchronizer")],
  ["allocate-without-transactions", required, acceptsWithout("allocate", "onboardingTransactions")],
  [
    "allocate-no-transactions",
    "4.2: onboardingTransactions must be non-empty.",
    accepts(
      "allocate",
      (given) =>
        isJsonObject(given) &&
        Array.isArray(given["onboardingTransactions"]) &&
        given["onboardingTransactions"].length === 0,
    ),
  ],
  [
    "allocate-transactions-of-any-type",
    "4.2: array of SignedTransaction.",
    acceptsTyped("allocate", "onboardingTransactions", "array"),
  ],
  [
    "allocate-wait-of-any-type",
    "4.2: waitForAllocation, boolean.",
    acceptsTyped("allocate", "waitForAllocation", "boolean"),
  ],
  [
    "allocate-invalid-transaction",
    "4.2: Must contain a party-to-participant transaction.",
    accepts("allocate", (given) => JSON.stringify(given)?.includes('"AAAA"') === true),
  ],
  [
    "allocate-unsigned",
    "4.2: it must be fully authorized by the request signatures.",
    response("allocate", undefined, (found, request) =>
      found.status >= 400 && isUnsigned(requestBody(request))
        ? json(200, { partyId: `party::1220${"ab".repeat(32)}` })
        : undefined,
    ),
  ],
  [
    "allocate-unknown-user",
    "4.2: The user who gets act_as rights on the new party.",
    response("allocate", 404, () => json(200, { partyId: `party::1220${"ab".repeat(32)}` })),
  ],
  ["allocate-result-empty", "4.2: partyId (string, required).", member("allocate", "partyId", undefined)],
  ["allocate-result-number", "4.2: partyId (string, required).", member("allocate", "partyId", 7)],
  ["allocate-result-blank", "4.2: partyId (string, required).", member("allocate", "partyId", "")],
  ["allocate-result-of-another", "4.2: partyId.", member("allocate", "partyId", `another::1220${"cd".repeat(32)}`)],
  [
    "allocate-needs-multi-hash",
    "4.2: multiHashSignatures, required: no, may be empty.",
    refuses("allocate", (given) => listIn(given["multiHashSignatures"]).length === 0),
  ],
  [
    "allocate-needs-single-hashes",
    "4.2: usable instead of signatures on each transaction.",
    refuses("allocate", (given) => listIn(given["multiHashSignatures"]).length > 0),
  ],
  ["allocate-needs-provider", optional, requires("allocate", "identityProviderId")],
  ["allocate-forbids-provider", optional, forbids("allocate", "identityProviderId")],
  ["allocate-needs-wait", "4.2: waitForAllocation, required: no.", requires("allocate", "waitForAllocation")],
  [
    "allocate-refuses-false-wait",
    "4.2: When false, allocation is asynchronous.",
    refuses("allocate", (given) => given["waitForAllocation"] === false),
  ],
  ["allocate-needs-user", "4.2: userId, required: no.", requires("allocate", "userId")],
  [
    "allocate-refuses-empty-user",
    "4.2: The default empty string means no user gets rights.",
    refuses("allocate", (given) => given["userId"] === ""),
  ],
  [
    "allocate-gives-no-rights",
    "4.2: The user who gets act_as rights on the new party.",
    requested("allocate", (given) => ({ ...given, userId: "" })),
  ],
];

function isUnsigned(given: JsonObject): boolean {
  const transactions = listIn(given["onboardingTransactions"]).map(objectIn);
  const isBare = listIn(given["multiHashSignatures"]).length === 0;
  return (
    transactions.length > 0 &&
    isBare &&
    transactions.every(({ signatures, transaction }) => transaction !== "AAAA" && listIn(signatures).length === 0)
  );
}

const executions: readonly Row[] = [
  ...["preparedTransaction", "partySignatures", "submissionId", "hashingSchemeVersion"].map(
    (name): Row => [`execute-without-${name}`, required, acceptsWithout("execute", name)],
  ),
  ...(["preparedTransaction", "submissionId", "hashingSchemeVersion"] as const).map(
    (name): Row => [`execute-${name}-of-any-type`, "4.2: string.", acceptsTyped("execute", name, "string")],
  ),
  [
    "execute-signatures-of-any-type",
    "4.2: PartySignatures: object.",
    acceptsTyped("execute", "partySignatures", "object"),
  ],
  [
    "execute-any-submission-id",
    "4.2: Must be a valid LedgerString.",
    accepts("execute", (given) => /[^\w.:#/ -]/.test(String(objectIn(given)["submissionId"]))),
  ],
  [
    "execute-needs-deduplication",
    "4.2: deduplicationPeriod, required: no.",
    requires("execute", "deduplicationPeriod"),
  ],
  [
    "execute-forbids-deduplication",
    "4.2: deduplicationPeriod, required: no.",
    forbids("execute", "deduplicationPeriod"),
  ],
  ["execute-needs-ledger-time", "4.2: minLedgerTime, required: no.", requires("execute", "minLedgerTime")],
  ["execute-result-without-update", "4.2: updateId, required.", member("execute", "updateId", undefined)],
  ["execute-result-update-number", "4.2: updateId, string.", member("execute", "updateId", 7)],
  ["execute-result-update-empty", "4.2: updateId, valid LedgerString.", member("execute", "updateId", "")],
  ["execute-result-update-odd", "4.2: updateId, valid LedgerString.", member("execute", "updateId", "update?1")],
  [
    "execute-result-update-same",
    "4.2: id of the resulting transaction.",
    member("execute", "updateId", `1220${"ab".repeat(32)}`),
  ],
  [
    "execute-result-without-offset",
    "4.2: completionOffset, required.",
    member("execute", "completionOffset", undefined),
  ],
  ["execute-result-offset-text", "4.2: completionOffset, integer int64.", member("execute", "completionOffset", "12")],
  [
    "execute-result-offset-fraction",
    "4.2: completionOffset, integer int64.",
    member("execute", "completionOffset", 12.5),
  ],
  ["execute-result-offset-null", "4.2: completionOffset, integer int64.", member("execute", "completionOffset", null)],
  [
    "execute-result-offset-large",
    "4.2: completionOffset, integer int64.",
    member("execute", "completionOffset", 2n ** 63n),
  ],
  [
    "execute-result-offset-same",
    "4.2: executing waits for completion of the transaction.",
    member("execute", "completionOffset", 5),
  ],
  [
    "execute-result-offset-falling",
    "4.2: executing waits for completion of the transaction.",
    counting((count) => 1000 - count),
  ],
  [
    "execute-twice",
    "4.2: submissionId distinguishes completions of different submissions with the same change ID.",
    response("execute", 409, (_, request) =>
      json(200, {
        updateId: `1220${[...String(requestBody(request)["submissionId"])].map((letter) => letter.charCodeAt(0).toString(16)).join("")}`,
        completionOffset: 100_000,
      }),
    ),
  ],
  ["execute-error-as-success", "4.2: 200 body.", response("execute", 200, () => json(200, ledgerError(409)))],
];

function counting(offsetOf: (count: number) => number): Plant {
  return (inner) => {
    let count = 0;
    return async (request) => {
      const found = await inner(request);
      if (found.type === "broken" || found.status !== 200 || !isOf("execute", request)) return found;
      count += 1;
      return withJson(found, { ...objectIn(jsonOf(found.body.text())), completionOffset: offsetOf(count) });
    };
  };
}

const others: readonly Row[] = [
  [
    "status-of-invalid-id",
    "4.2: package-id (string, required).",
    response("status", 400, () => json(200, { packageStatus: "PACKAGE_STATUS_UNSPECIFIED" })),
  ],
  [
    "rights-change-version",
    "3: Granting rights does not change the resource version of the user.",
    (inner) => {
      const granted = new Map<string, number>();
      return async (request) => {
        const found = await inner(request);
        if (found.type === "broken" || found.status !== 200) return found;
        const name = decodeURIComponent(request.target.split("/")[3] ?? "");
        if (isOf("grant", request)) granted.set(name, (granted.get(name) ?? 0) + 1);
        if (!isOf("users", request)) return found;
        const given = objectIn(jsonOf(found.body.text()));
        const raised = listIn(given["users"])
          .map(objectIn)
          .map((shown) => {
            const metadata = objectIn(shown["metadata"]);
            const version = Number(metadata["resourceVersion"] ?? 0) + (granted.get(String(shown["id"])) ?? 0);
            return { ...shown, metadata: { ...metadata, resourceVersion: String(version) } };
          });
        return withJson(found, { ...given, users: raised });
      };
    },
  ],
];

/** Faults of single ledger operations, from sections 3, 4.2 and 8. */
export const operationRows: readonly Row[] = [
  ...users,
  ...updates,
  ...grants,
  ...vettings,
  ...allocations,
  ...executions,
  ...others,
];
