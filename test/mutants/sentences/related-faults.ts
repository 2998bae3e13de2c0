import { Body } from "../../../src/foundation/http/body.ts";
import type { Response } from "../../../src/foundation/http/response.ts";
import { type Json, type JsonObject, jsonOf } from "../../../src/foundation/json/json.ts";
import { json, objectIn, requestBody, withJson, without } from "../_mutant.ts";
import type { Labelled } from "./_consumer-day.ts";
import { at, ledgerError } from "./_plant.ts";
import { after, answer, beside, type DayFault, instead, refused, same, withMember } from "./_recorded-changes.ts";

// Faults that only several exchanges of a recording show.

const lean = (body: JsonObject) => without(body, "excludeDebugFields");
const off = withMember("excludeDebugFields", false);
const lookupRefused = () => json(400, { error: "bad request" });
const form = refused("Invalid value for: body");
const vague = refused("The request is not acceptable");

/** Equivalent requests with different results, in both orders. */
const order: readonly DayFault[] = [
  { id: "lookup-omitted-400-then-false-200", in: "all", change: instead("lookup", [lean, lookupRefused], [off, same]) },
  { id: "lookup-false-200-then-omitted-400", in: "all", change: instead("lookup", [off, same], [lean, lookupRefused]) },
  { id: "lookup-false-400-then-omitted-200", in: "all", change: instead("lookup", [off, lookupRefused], [lean, same]) },
  {
    id: "lookup-true-400-then-omitted-200",
    in: "all",
    change: instead("lookup", [withMember("excludeDebugFields", true), lookupRefused], [lean, same]),
  },
  ...(["form", "vague"] as const).flatMap((kind): readonly DayFault[] => {
    const no = kind === "form" ? form : vague;
    return [
      { id: `grant-without-rights-400-${kind}`, in: "all", change: answer("grant-least", no) },
      { id: `grant-empty-rights-400-${kind}`, in: "all", change: answer("grant-nothing", no) },
      {
        id: `grant-neither-400-${kind}`,
        in: "all",
        change: (day) => answer("grant-nothing", no)(answer("grant-least", no)(day)),
      },
      {
        id: `grant-without-provider-400-${kind}`,
        in: "all",
        change: after("grant", [(body: JsonObject) => without(body, "identityProviderId"), no]),
      },
      {
        id: `grant-without-provider-400-first-${kind}`,
        in: "all",
        change: instead("grant", [(body: JsonObject) => without(body, "identityProviderId"), no], [undefined, same]),
      },
      {
        id: `vetting-without-flags-400-${kind}`,
        in: "all",
        ...(kind === "vague" && { needsExclusive: true }),
        change: after(
          "vetting-unforced",
          [(body: JsonObject) => without(body, "updateVettedPackagesForceFlags"), no],
          [undefined, same],
        ),
      },
      {
        id: `vetting-without-dry-run-400-${kind}`,
        in: "all",
        ...(kind === "vague" && { needsExclusive: true }),
        change: after("vetting", [withMember("dryRun", false), no], [undefined, same]),
      },
    ];
  }),
  {
    id: "allocate-without-wait-400-form",
    in: "all",
    change: instead("allocate-s-0", [undefined, form], [withMember("waitForAllocation", true), same]),
  },
  {
    id: "allocate-without-user-400-form",
    in: "all",
    change: instead("allocate-r-0", [undefined, form], [withMember("userId", ""), same]),
  },
  { id: "allocate-with-provider-400-form", in: "all", change: instead("allocate-p-1", [undefined, form]) },
  {
    id: "users-empty-token-400",
    in: "all",
    change: answer("users-start", refused("Invalid value for: query parameter pageToken")),
  },
  {
    id: "users-own-token-400",
    in: "all",
    change: answer("page-1", refused("Invalid value for: query parameter pageToken")),
  },
  {
    id: "users-empty-token-400-first",
    in: "all",
    change: (day) => {
      const start = day.find((one) => one.label === "users-start");
      return day.flatMap((one) =>
        one.label === "users" && start !== undefined
          ? [{ ...start, label: "early", response: refused("bad")() }, one]
          : [one],
      );
    },
  },
  {
    id: "status-200-then-400",
    in: "all",
    change: after("status", [undefined, refused("Invalid value for: path parameter")]),
  },
  {
    id: "status-400-then-200",
    in: "all",
    change: instead("status", [undefined, refused("Invalid value for: path parameter")], [undefined, same]),
  },
  {
    id: "token-missing-served-then-401",
    in: "all",
    change: answer("idps-basic", () => json(200, { identityProviderConfigs: [{ identityProviderId: "corporate" }] })),
  },
];

/** Effects that another response shows. */
const effects: readonly DayFault[] = [
  { id: "offset-falls", in: "all", change: (day) => answer(lastExecution(day), at("/completionOffset", 1))(day) },
  {
    id: "offset-beyond-ledger-end",
    in: "all",
    change: (day) => {
      const [first] = day;
      const request = {
        ...(first?.request ?? { method: "GET", headers: [], body: new Body("") }),
        method: "GET",
        target: "/v2/state/ledger-end",
      };
      return day.flatMap((one) =>
        one.label === "execute-0" ? [one, { label: "end", request, response: json(200, { offset: 1 }) }] : [one],
      );
    },
  },
  {
    id: "executed-twice",
    in: "all",
    change: answer("execute-0-again", () => json(200, { updateId: `1220${"cd".repeat(32)}`, completionOffset: 5000 })),
  },
  {
    id: "party-right-without-user",
    in: "all",
    needsExclusive: true,
    change: (day) => {
      const party = partyOf(day, "allocate-r-0");
      return answer("rights-of-party", (response) => withRight(response, party))(day);
    },
  },
  {
    id: "party-right-without-user-first-listing",
    in: "all",
    needsExclusive: true,
    change: (day) => {
      const party = partyOf(day, "allocate-r-0");
      return answer("rights-of-party", (response) => withRight(response, party))(day).filter(
        (one) => one.label !== "rights",
      );
    },
  },
  {
    id: "party-right-missing",
    in: "releases",
    needsExclusive: true,
    change: answer("rights-of-party", at("/rights", [])),
  },
  {
    id: "two-onboardings-one-party",
    in: "all",
    change: (day) => {
      const opaque = (letter: string) =>
        instead(`allocate-${letter}-0`, [
          withMember("onboardingTransactions", [{ transaction: "AAAA".repeat(letter.charCodeAt(0)), signatures: [] }]),
          () => json(200, { partyId: `one::1220${"ab".repeat(32)}` }),
        ]);
      return opaque("q")(opaque("p")(day)).filter(({ label }) => !/^allocate-[pq]-1$/.test(label));
    },
  },
  {
    id: "patch-moves-provider",
    in: "all",
    needsExclusive: true,
    change: answer("patch", at("/user/identityProviderId", "other")),
  },
  {
    id: "patch-drops-party",
    in: "all",
    needsExclusive: true,
    change: (day) =>
      answer(
        "patch",
        at("/user/primaryParty", "p::1220ab"),
      )(answer("users-plain", at("/users/1/primaryParty", "q::1220ab"))(day)),
  },
  {
    id: "patch-freezes-version",
    in: "releases",
    needsExclusive: true,
    change: (day) => {
      const version = (label: string) =>
        objectIn(objectIn(objectIn(jsonIn(day, label))["user"])["metadata"])["resourceVersion"] ?? "0";
      return answer("patch-annotations", at("/user/metadata/resourceVersion", version("patch")))(day);
    },
  },
  {
    id: "allocate-for-unknown-user",
    in: "releases",
    needsExclusive: true,
    change: after("allocate-p-0", [withMember("userId", "day-none"), same]),
  },
  {
    id: "allocate-for-user-of-no-walk",
    in: "releases",
    needsExclusive: true,
    change: after("allocate-p-0", [withMember("userId", "day-nobody"), same]),
  },
  {
    id: "grant-to-user-of-no-walk",
    in: "releases",
    needsExclusive: true,
    change: beside("grant", "/v2/users/day-nobody/rights", json(200, { newlyGrantedRights: [] }), {
      userId: "day-nobody",
      rights: [],
    }),
  },
  {
    id: "vetted-unspecified",
    in: "releases",
    needsExclusive: true,
    change: (day) => {
      const status = day.find((one) => one.label === "status");
      const late =
        status === undefined
          ? []
          : [{ ...status, label: "late", response: json(200, { packageStatus: "PACKAGE_STATUS_UNSPECIFIED" }) }];
      return day.flatMap((one) => (one.label === "vetting-again" ? [one, ...late] : [one]));
    },
  },
  {
    id: "unknown-package-registered",
    in: "releases",
    needsExclusive: true,
    change: (day) => {
      const status = day.find((one) => one.label === "status");
      const refusal = day.find((one) => one.label === "vetting-refused");
      const id =
        JSON.stringify(refusal === undefined ? "" : requestBody(refusal.request)).match(/"packageId":"(\w+)"/)?.[1] ??
        "";
      const late =
        status === undefined
          ? []
          : [
              {
                ...status,
                label: "late",
                request: { ...status.request, target: `/v2/packages/${id}/status` },
                response: json(200, { packageStatus: "PACKAGE_STATUS_REGISTERED" }),
              },
            ];
      return day.flatMap((one) => (one.label === "vetting-refused" ? [one, ...late] : [one]));
    },
  },
  {
    id: "unknown-package-404",
    in: "releases",
    change: answer("status-unknown", () =>
      json(404, { ...ledgerError(404), code: "PACKAGE_NOT_FOUND", errorCategory: 11 }),
    ),
  },
  {
    id: "user-missing-from-walk",
    in: "all",
    needsExclusive: true,
    change: answer("users-plain-later", (response) =>
      withJson(response, { ...objectIn(jsonOf(response.body.text())), users: usersOf(response).slice(0, -1) }),
    ),
  },
  {
    id: "right-newly-granted-twice",
    in: "all",
    needsExclusive: true,
    change: answer("grant-again", (response, request) =>
      withJson(response, { newlyGrantedRights: requestBody(request)["rights"] ?? [] }),
    ),
  },
];

function lastExecution(day: readonly Labelled[]): string {
  const executed = day.filter(
    ({ label }) => label.startsWith("execute-") && objectIn(jsonIn(day, label))["updateId"] !== undefined,
  );
  return executed.at(-1)?.label ?? "";
}

function jsonIn(day: readonly Labelled[], label: string): Json | undefined {
  const response = day.find((one) => one.label === label)?.response;
  return response?.type === "response" ? jsonOf(response.body.text()) : undefined;
}

function partyOf(day: readonly Labelled[], label: string): string {
  return String(objectIn(jsonIn(day, label))["partyId"]);
}

function withRight(response: Response, party: string): Response {
  const body = objectIn(jsonOf(response.body.text()));
  const rights = Array.isArray(body["rights"]) ? body["rights"] : [];
  return withJson(response, { ...body, rights: [...rights, { kind: { CanActAs: { value: { party } } } }] });
}

function usersOf(response: Response): readonly Json[] {
  const users = objectIn(jsonOf(response.body.text()))["users"];
  return Array.isArray(users) ? users : [];
}

export const relatedFaults: readonly DayFault[] = [...order, ...effects];
