import { headerValues } from "../../../foundation/http/header.ts";
import { formatJson, isJsonObject, type Json, type JsonObject } from "../../../foundation/json/json.ts";
import { memoize } from "../../../foundation/text/memoize.ts";
import { digestOf } from "../digest.ts";
import { isValidRequest } from "../is-valid-request.ts";
import { textAt } from "../members.ts";
import {
  type Finding,
  isBefore,
  noFindings,
  notApplicable,
  type RuleResult,
  type Span,
  type TraceRule,
  withFindings,
} from "../rule.ts";
import { badRequest, lookup, transferRequest } from "../sample-bodies.ts";
import { allocationExample, grant, repeatedGrant } from "../sample-users.ts";
import { defaults, isAboutForm, isDefault } from "./_defaults.ts";

const request = transferRequest("alice::1220ab", "bob::1220ab");
const bare = { ...lookup, requestBody: request };
const full = { ...bare, requestBody: { ...request, excludeDebugFields: false } };
const refusedLookup = { ...bare, status: 400, body: '{"error":"excludeDebugFields is missing"}' };
const withoutRights = { ...repeatedGrant, requestBody: { userId: "a" } };
const withEmptyRights = { ...repeatedGrant, requestBody: { userId: "a", rights: [] } };
const unknownParty = { ...badRequest, body: "unknown party" };
const unacceptable = { ...badRequest, body: "The request is not acceptable" };
const withoutDefaults = { ...repeatedGrant, requestBody: { userId: "a", rights: [{ kind: {} }] } };
const reordered = { rights: [{ kind: {} }], userId: "a" };
const withProvider = { ...repeatedGrant, requestBody: { ...reordered, identityProviderId: "" } };

const allocation = allocationExample();
const waiting = allocationExample({ waitForAllocation: true });

type Member = readonly [name: string, value: Json];

/** A response to one of several requests that mean the same. */
interface Result {
  /** The members of the request that have their default. */
  readonly form: string;
  readonly span: Span;
}

interface Refused extends Result {
  /** Whether no state can explain the refusal. Then the order of requests does not matter. */
  readonly isCertain: boolean;
  /** Whether a request with the same meaning succeeded before. */
  readonly isBetween: boolean;
}

interface Results {
  readonly accepted: Result | undefined;
  readonly refused: Refused | undefined;
}

/**
 * A 400 may depend on the state: then it counts only between two successes of requests with the same meaning. The 400 of a
 * decoder is about the form of the request (Canton 3.5, Endpoints.scala). No state explains the 400 of a grant without
 * rights beside a successful grant to the same user, or that of one of two lookups with the same arguments.
 */
export const defaultsAccepted: TraceRule = {
  type: "trace",
  id: "defaults-accepted",
  section: "2",
  severity: "error",
  summary: "A request is not refused with 400 because an optional member is missing, or present with its default.",
  operations: Object.keys(defaults),
  assumesExclusiveUse: true,
  watch(memories) {
    const results = memories.map<Results>();
    // Requests have few forms.
    const formDigest = memoize(digestOf);
    const learn = (key: string, accepted: Result): Finding | undefined => {
      const { refused } = results.get(key) ?? {};
      results.set(key, { accepted, refused: undefined });
      if (refused === undefined || refused.form === accepted.form) return undefined;
      const isWrong = refused.isCertain || (refused.isBetween && isBefore(refused.span, accepted.span));
      return isWrong ? refusal("the same request was refused before", refused.isCertain) : undefined;
    };
    return {
      ends(traced) {
        const { operation, exchange, status, span, requestJson } = traced;
        if (defaults[operation.operationId] === undefined || !isJsonObject(requestJson)) return notApplicable;
        if (status !== 200 && status !== 400) return notApplicable;
        const { asDefault, others } = membersOf(operation.operationId, requestJson);
        const caller = headerValues(exchange.request.headers, "authorization");
        // Requests with the same caller, path and other members have the same meaning.
        const keyOf = (members: readonly Member[]) =>
          digestOf(formatJson([...caller, exchange.request.target, members]));
        const now = { form: formDigest(formatJson(asDefault)), span };
        const isGrant = operation.operationId === grant.operationId;
        const isOfNothing = isGrant && others.every(([name]) => name === "userId");
        // A grant of rights shows that one of no rights is valid, too.
        const anyGrant = isGrant
          ? `${caller.join("\n")} ${exchange.request.target} ${textAt(requestJson, "userId") ?? ""}`
          : "";
        if (status === 200 && isGrant && !isOfNothing) {
          const found = learn(anyGrant, { form: "rights", span });
          if (found !== undefined) return withFindings([found]);
        }
        const key = isOfNothing ? anyGrant : keyOf(others);
        if (status === 200) return foundBy(learn(key, now));
        const { accepted } = results.get(key) ?? {};
        const isCertain =
          isAboutForm(traced) || operation.api === "registry" || (isOfNothing && isValidRequest(traced));
        // A repeated grant changes nothing.
        const isRepeated = isGrant && isValidRequest(traced);
        const isRefused = accepted !== undefined && (isCertain || isRepeated) && accepted.form !== now.form;
        const isBetween = accepted !== undefined && accepted.form !== now.form && isBefore(accepted.span, span);
        results.set(key, { accepted, refused: isRefused ? undefined : { ...now, isCertain, isBetween } });
        return foundBy(isRefused ? refusal("it succeeded before", true) : undefined);
      },
    };
  },
  examples: {
    kept: [
      {
        name: "a second allocation of a party",
        exchanges: [allocation, { ...waiting, ...badRequest, body: "exists" }],
      },
      { name: "all forms of a lookup succeed", exchanges: [full, bare, full] },
      {
        name: "a member with the name of an inherited one",
        exchanges: [withEmptyRights, { ...repeatedGrant, requestBody: { userId: "a", toString: "x" } }],
      },
      { name: "all forms of a grant succeed", exchanges: [withEmptyRights, withoutRights] },
      {
        name: "the same members in another order after a change of the state",
        exchanges: [
          { ...withoutDefaults, ...badRequest },
          { ...repeatedGrant, requestBody: reordered },
        ],
      },
      {
        name: "a right over a party that is allocated later",
        exchanges: [{ ...withoutDefaults, ...unknownParty }, withProvider],
      },
      { name: "another grant", exchanges: [withEmptyRights, { ...grant, ...badRequest }] },
    ],
    broken: [
      {
        name: "an allocation is refused without waitForAllocation",
        exchanges: [{ ...allocation, ...badRequest }, waiting],
      },
      { name: "a lookup is refused without excludeDebugFields", exchanges: [full, refusedLookup] },
      { name: "a lookup is refused without excludeDebugFields first", exchanges: [refusedLookup, full] },
      {
        name: "a grant of no rights is refused after a grant",
        exchanges: [grant, { ...withoutRights, ...unacceptable }],
      },
      {
        name: "a grant of no rights is refused before a grant",
        exchanges: [{ ...withEmptyRights, ...unacceptable }, grant],
      },
      { name: "a grant is refused without rights", exchanges: [withEmptyRights, { ...withoutRights, ...badRequest }] },
      {
        name: "a grant is refused with an empty list of rights",
        exchanges: [{ ...withEmptyRights, ...badRequest }, withoutRights],
      },
    ],
  },
};

function foundBy(finding: Finding | undefined): RuleResult {
  return finding === undefined ? noFindings : withFindings([finding]);
}

function refusal(reason: string, isCertain: boolean): Finding {
  return {
    expected: "the same result for a missing member and its default",
    actual: `400 for one of them: ${reason}`,
    pointer: "",
    keyword: "default",
    isCertain,
  };
}

/** The members of a request, sorted by name: those with their default, and the others. */
function membersOf(
  operationId: string,
  request: JsonObject,
): { readonly asDefault: readonly Member[]; readonly others: readonly Member[] } {
  const [asDefault, others]: [Member[], Member[]] = [[], []];
  for (const name of Object.keys(request).sort()) {
    const value = request[name] ?? null;
    (isDefault(operationId, name, value) ? asDefault : others).push([name, value]);
  }
  return { asDefault, others };
}
