import { headerValues } from "../../../foundation/http/header.ts";
import { formatJson, isJsonObject, type Json } from "../../../foundation/json/json.ts";
import { digestOf } from "../digest.ts";
import { isValidRequest } from "../is-valid-request.ts";
import {
  type BoundedMap,
  type Finding,
  noFindings,
  notApplicable,
  type TracedExchange,
  type TraceRule,
  withFindings,
} from "../rule.ts";
import { badRequest, lookup, lookupRequest } from "../sample-bodies.ts";
import { executeExample } from "../sample-submissions.ts";
import { grant } from "../sample-users.ts";
import { vetting } from "../sample-vetting.ts";
import { isAboutForm, isDefault } from "./_defaults.ts";

/** The optional members of each operation. A shown 400 about the form of the request cannot depend on the state. */
const optionalMembers: Readonly<Record<string, readonly string[]>> = {
  "postV2Interactive-submissionExecuteandwait": ["deduplicationPeriod", "minLedgerTime"],
  postV2PartiesExternalAllocate: ["multiHashSignatures", "identityProviderId", "waitForAllocation", "userId"],
  "postV2UsersUser-idRights": ["rights", "identityProviderId"],
  "postV2Package-vetting": [
    "dryRun",
    "dry_run",
    "expectedTopologySerial",
    "synchronizerId",
    "synchronizer_id",
    "updateVettedPackagesForceFlags",
  ],
};

const variant = { variant: "optional members" };
const untimed = executeExample("AAAA", "s");
const timed = executeExample("AAAA", "s", { minLedgerTime: { time: { Empty: {} } } });

/** Whether requests that differ in one optional member alone were accepted and refused. */
interface Results {
  /** The values of the member with which the request was accepted and refused, as texts. */
  readonly accepted?: string;
  readonly refused?: string;
}

/** Probes mark their variants. In other exchanges, requests that differ in one optional member alone are variants. */
export const validVariantsAccepted: TraceRule = {
  type: "trace",
  id: "valid-variants-accepted",
  section: "4",
  severity: "error",
  summary:
    "A request that differs from a successful one only in optional members, or in another allowed value, is no bad request.",
  assumesExclusiveUse: false,
  watch(memories) {
    const results = memories.map<Results>();
    return {
      ends(traced) {
        const { context, status } = traced;
        if (context.variant !== undefined && status > 0)
          return status === 400 || status === 422 ? withFindings([finding(status, context.variant)]) : noFindings;
        if (status !== 200 && !isRefusal(traced)) return notApplicable;
        const members = optionalMembers[traced.operation.operationId] ?? [];
        const disputed = members.filter((member) => isDisputed(traced, member, results));
        return members.length === 0
          ? notApplicable
          : withFindings(disputed.slice(0, 1).map((name) => finding(400, keywordOf(name))));
      },
    };
  },
  examples: {
    kept: [
      { name: "a grant without rights", exchanges: [{ ...grant, requestBody: { userId: "a" }, context: variant }] },
      { name: "a refusal of another request", exchanges: [{ ...grant, ...badRequest, requestBody: {} }] },
      {
        name: "a refusal that may depend on the state",
        exchanges: [timed, { ...untimed, ...badRequest, body: "The transaction is outdated" }],
      },
      {
        name: "a refused member whose content the spec does not show",
        exchanges: [untimed, { ...timed, ...badRequest }],
      },
      {
        name: "refused rights whose content the spec does not show",
        exchanges: [
          { ...grant, requestBody: { userId: "a" } },
          { ...grant, ...badRequest, requestBody: { userId: "a", rights: [{ kind: { Empty: {} } }] } },
        ],
      },
      {
        name: "a refused member whose type is wrong",
        exchanges: [
          { ...vetting, requestBody: { changes: [{}], dryRun: true } },
          { ...vetting, ...badRequest, requestBody: { changes: [{}], dryRun: "yes" } },
        ],
      },
    ],
    broken: [
      {
        name: "a probe of a grant without rights",
        exchanges: [{ ...grant, ...badRequest, requestBody: { userId: "a" }, context: variant }],
      },
      {
        name: "a lookup without excludeDebugFields",
        exchanges: [
          {
            ...lookup,
            requestBody: { choiceArguments: lookupRequest.choiceArguments },
            status: 400,
            body: '{"error":"excludeDebugFields is missing"}',
            context: variant,
          },
        ],
      },
      { name: "an execution without minLedgerTime", exchanges: [timed, { ...untimed, ...badRequest }] },
      { name: "an execution without minLedgerTime first", exchanges: [{ ...untimed, ...badRequest }, timed] },
    ],
  },
};

function isRefusal(traced: TracedExchange): boolean {
  return traced.status === 400 && isAboutForm(traced) && isValidRequest(traced);
}

/** Records the result, and returns whether another request that differs in this member alone had the other result. */
function isDisputed(traced: TracedExchange, member: string, results: BoundedMap<Results>): boolean {
  const { operation, requestJson, exchange, status, spec } = traced;
  if (!isJsonObject(requestJson)) return false;
  const value = requestJson[member];
  // The spec does not show the content of these objects and of rights, and a release may not decode all that its schema allows.
  const isUnshown = isJsonObject(value) || (member === "rights" && Array.isArray(value) && value.some(isJsonObject));
  if (status === 400 && isUnshown && spec.profile.ledger === "spec") return false;
  const caller = headerValues(exchange.request.headers, "authorization");
  const rest = Object.entries(requestJson).filter(([name]) => name !== member);
  const key = digestOf(formatJson([member, ...caller, exchange.request.target, rest.sort(byName)]));
  const known = results.get(key) ?? {};
  const form = value === undefined || isDefault(operation.operationId, member, value) ? "" : formatJson(value);
  const now = status === 200 ? { ...known, accepted: form } : { ...known, refused: form };
  results.set(key, now);
  // The rule `defaults-accepted` reports a member with its default.
  return now.accepted !== undefined && now.refused !== undefined && now.accepted !== now.refused;
}

function byName([left]: readonly [string, Json], [right]: readonly [string, Json]): number {
  return left < right ? -1 : 1;
}

/** Releases require one of the members, which their divergences name. */
function keywordOf(member: string): string {
  return member === "deduplicationPeriod" ? member : "optional members";
}

function finding(status: number, keyword: string): Finding {
  return {
    expected: `no refusal, since the target accepts a request that differs only in ${keyword}`,
    actual: String(status),
    pointer: "",
    keyword,
  };
}
