import type { Json } from "../../../src/foundation/json/json.ts";
import { json, objectIn } from "../_mutant.ts";
import type { Labelled } from "./_consumer-day.ts";
import { at } from "./_plant.ts";
import { after, answer, type DayFault, instead, same, withMember } from "./_recorded-changes.ts";

// Faults in the form of values, and those that profiles know differently.

/** Values of a type that the spec only names. */
function value(
  label: string,
  pointer: string,
  values: readonly Json[],
  where: DayFault["in"] = "all",
): readonly DayFault[] {
  return values.map((wrong) => ({
    id: `${label}${pointer}=${JSON.stringify(wrong)}`,
    in: where,
    change: answer(label, at(pointer, wrong)),
  }));
}

const contract = "/choiceContext/disclosedContracts/0";
const types: readonly DayFault[] = [
  ...value("vetting-dry", "/newVettedPackages", ["x", [], 7, true]),
  ...value("vetting-dry", "/pastVettedPackages", ["x", [], 7]),
  ...value("vetting-dry", "/newVettedPackages/packages", ["x", {}, [7]]),
  ...value("vetting-dry", "/newVettedPackages/synchronizerId", [7, "", "x"]),
  ...value("vetting-dry", "/newVettedPackages/participantId", [7, "", "x"]),
  ...value("vetting-dry", "/newVettedPackages/topologySerial", ["x", 1.5, -1]),
  ...["", "x", "x::", "::1220ab", "a::1220ab::c"].map(
    (party): DayFault => ({
      id: `allocate-opaque-party=${party}`,
      in: "all",
      change: (day) =>
        instead("allocate-p-0", [
          withMember("onboardingTransactions", [{ transaction: "AAAA", signatures: [] }]),
          () => json(200, { partyId: party }),
        ])(day).filter(({ label }) => label !== "allocate-p-1"),
    }),
  ),
  ...value("lookup", "/factoryId", ["factory", "00AB", "00abc", "", "#0:0"]),
  ...value("lookup", `${contract}/contractId`, ["contract", "00AB", "00abc"]),
  ...value("lookup", `${contract}/synchronizerId`, ["x", "", "x::"]),
  ...value("lookup", `${contract}/templateId`, ["x", "a:b", "a:b:c:d", "#a:b"]),
  ...value("lookup", `${contract}/createdEventBlob`, ["x", "###", "a-_b"]),
  ...value("lookup", `${contract}/debugCreatedAt`, ["2026-13-01T00:00:00Z", "2026-01-01", "2026-01-01T00:00:00", 7]),
  ...value("lookup", `${contract}/debugPayload`, [[], "x", 7]),
  ...value("lookup", "/choiceContext/choiceContextData", ["x", [], 7]),
  ...value("users-plain", "/users/0/id", ["", " ", "a\nb", "a/b c"]),
  ...value("users-plain", "/users/0/primaryParty", ["a/b", "alice@x"]),
  ...value("users-plain", "/users/0/identityProviderId", ["a\nb"]),
  ...value("users-plain", "/users/0/metadata", ["x", [], 7]),
  ...value("users-plain", "/users/0/metadata/resourceVersion", [7, "x", ""], "releases"),
  ...value("users-plain", "/users/0/metadata/annotations", ["x", [], { a: 1 }], "releases"),
  ...value("grant", "/newlyGrantedRights", [[{}], [7], [{ kind: {} }], [{ kind: "CanActAs" }]]),
  ...value("status", "/packageStatus", ["", "x", "registered", "REGISTERED"]),
  ...value("status", "/packageStatus", ["PACKAGE_STATUS_OTHER"], "releases"),
  ...value("execute-0", "/completionOffset", [-1, 0, 1.5, "7"]),
  ...value("execute-0", "/updateId", ["", "a\nb", "x".repeat(256)]),
  ...value("execute-0", "/updateId", ["x", "1220ab", "1220zz"], "releases"),
  ...value("idps", "/identityProviderConfigs", [[7], ["x"], [[]]]),
  ...value(
    "idps",
    "/identityProviderConfigs",
    [[{}], [{ identityProviderId: "", issuer: "x" }], [{ identityProviderId: "a", issuer: 7 }]],
    "releases",
  ),
  ...value("grant-unknown", "/code", [""], "releases"),
  ...value("grant-unknown", "/errorCategory", [-2, 99], "releases"),
  ...value("grant-unknown", "/grpcCodeValue", [-1, 99], "releases"),
  {
    id: "last-page-with-token",
    in: "all",
    needsExclusive: true,
    change: (day) => {
      const last = day.filter(({ label }) => /^page-\d+$/.test(label)).at(-1)?.label ?? "";
      return answer(last, at("/nextPageToken", "bW9yZQ"))(day);
    },
  },
  {
    id: "whole-page-with-token",
    in: "all",
    needsExclusive: true,
    change: answer("users", at("/nextPageToken", "bW9yZQ")),
  },
  {
    id: "patch-ignores-annotation",
    in: "all",
    change: answer("patch-annotations", at("/user/metadata/annotations", {})),
  },
  {
    id: "patch-changes-annotation",
    in: "all",
    change: answer("patch-annotations", at("/user/metadata/annotations", { team: "other" })),
  },
  {
    id: "patch-keeps-removed-annotation",
    in: "all",
    change: after("patch-annotations", [
      () => ({
        user: { id: "day-1", metadata: { resourceVersion: "", annotations: { team: "" } } },
        updateMask: { paths: ["metadata.annotations"], unknownFields: { fields: {} } },
      }),
      same,
    ]),
  },
  {
    id: "patch-drops-other-annotation",
    in: "all",
    needsExclusive: true,
    change: after("patch-annotations", [
      () => ({
        user: { id: "day-1", isDeactivated: true, metadata: { resourceVersion: "", annotations: {} } },
        updateMask: { paths: ["is_deactivated"], unknownFields: { fields: {} } },
      }),
      at("/user/metadata/annotations", {}),
    ]),
  },
];

/** What only a release knows, and what a release's profile must not lose. */
const ofProfiles: readonly DayFault[] = [
  ...["idps", "status", "grant"].flatMap((operation) =>
    ["bare", "basic", "empty"].map(
      (kind): DayFault => ({
        id: `${operation}-${kind}-served`,
        in: "all",
        change: (day) =>
          answer(
            `${operation}-${kind}`,
            () => day.find(({ label }) => label === operation)?.response ?? json(200, {}),
          )(day),
      }),
    ),
  ),
  {
    id: "every-request-without-token-served",
    in: "all",
    change: (day) =>
      ["idps", "status", "grant"].reduce(
        (changed, operation) =>
          ["bare", "basic", "empty"].reduce(
            (inner: readonly Labelled[], kind) =>
              answer(
                `${operation}-${kind}`,
                () => day.find(({ label }) => label === operation)?.response ?? json(200, {}),
              )(inner),
            changed,
          ),
        day,
      ),
  },
  {
    id: "bare-lookup-refused",
    in: "all",
    change: (day) =>
      answer("lookup-debug", () => json(401, { error: "no token" }))(day).map((one) => ({
        ...one,
        request: one.label.startsWith("lookup")
          ? { ...one.request, headers: one.request.headers.filter(([name]) => name !== "Authorization") }
          : one.request,
      })),
  },
  { id: "lookup-refused-without-token", in: "all", change: answer("lookup", () => json(401, { error: "no token" })) },
  ...["unknown", "isDeactivated", "user.is_deactivated", "metadata.nothing", "*"].map(
    (path): DayFault => ({
      id: `mask-path-${path}-accepted`,
      in: "releases",
      change: after("patch", [
        (body) => ({ ...body, updateMask: { paths: ["is_deactivated", path], unknownFields: { fields: {} } } }),
        same,
      ]),
    }),
  ),
  ...[[], [""], ["is_deactivated", "is_deactivated"]].map(
    (paths): DayFault => ({
      id: `mask-${JSON.stringify(paths)}-accepted`,
      in: "releases",
      change: after("patch", [(body) => ({ ...body, updateMask: { paths, unknownFields: { fields: {} } } }), same]),
    }),
  ),
  {
    id: "stale-version-accepted",
    in: "releases",
    needsExclusive: true,
    change: after("patch-annotations", [
      (body) => ({ ...body, user: { ...objectIn(body["user"]), metadata: { resourceVersion: "0", annotations: {} } } }),
      same,
    ]),
  },
];

export const formFaults: readonly DayFault[] = [...types, ...ofProfiles];
