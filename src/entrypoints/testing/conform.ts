import { checkExchange } from "../../checker/engine/checker.ts";
import type { ExchangeVerdict, Violation } from "../../checker/engine/exchange-verdict.ts";
import { outcomeOf } from "../../checker/engine/exchange-verdict.ts";
import { Body } from "../../foundation/http/body.ts";
import type { Exchange } from "../../foundation/http/exchange.ts";
import { plainMask } from "../../foundation/secrets/mask.ts";
import type { LedgerProfile, RegistryProfile } from "../../foundation/spec/generated/names.ts";
import type { ProfileNames, Spec } from "../../foundation/spec/spec.ts";
import { defaultProfileOf, impliedRegistryProfile, loadSpec } from "../../foundation/spec/spec.ts";
import { form, type OptionChecks, optionProblem, shown, text, yesOrNo } from "../library/option-checks.ts";
import { knownProfile } from "../library/understudy-options.ts";
import type { MatcherResult } from "./matcher-result.ts";

/** Options of `toConform`: the profile to check against, and the parts of the request that a `Response` of `fetch` lacks. */
export interface ConformOptions {
  /** Release of the ledger, such as `canton-3.5`, or `spec`. Default: the stub's profile, or else the default release. */
  readonly profile?: LedgerProfile;
  /** Release of the registry. Default: the one that goes with the ledger's profile. */
  readonly registryProfile?: RegistryProfile;
  /** Whether known divergences of the release fail. Default: false. */
  readonly strict?: boolean;
  /** Method of the request, if a `Response` is checked. Default: GET. */
  readonly method?: string;
  /** Body of the request, if a `Response` is checked. */
  readonly requestBody?: string;
}

/** An exchange, a list of exchanges, an object with a journal (such as a stub), or a `Response` of `fetch`. */
export type Conformable =
  | Exchange
  | readonly Exchange[]
  | { readonly journal: readonly Exchange[]; readonly profile?: ProfileNames }
  | globalThis.Response;

/**
 * Checks that responses conform to the spec. The message lists each broken rule with the expected and the actual value, the
 * JSON pointer, and the section of the spec. The body of a `Response` must be unread; pass a `clone()` if you read it first.
 * Rejects with a RangeError for other values and for an invalid option.
 */
export async function toConform(received: Conformable, options: ConformOptions = {}): Promise<MatcherResult> {
  checkOptions(options);
  const exchanges = await exchangesOf(received, options);
  const own = "profile" in received ? received.profile : undefined;
  const spec = specOf(options, own);
  const verdicts = exchanges.map((exchange) =>
    checkExchange(spec, options.strict === true ? "spec" : "release", exchange),
  );
  const broken = verdicts.filter((verdict) => outcomeOf(verdict) === "FAIL");
  const outside = verdicts.filter((verdict) => verdict.type === "unsupported");
  const unread = verdicts.filter(isUnread);
  const isChecked = verdicts.length > outside.length + unread.length;
  const isMethodGuessed = isResponse(received) && options.method === undefined;
  const hint = isChecked || !isMethodGuessed ? "" : '. If the method was not GET, pass it: { method: "POST" }';
  return {
    pass: broken.length === 0 && isChecked,
    message: () => plainMask(`${messageOf(verdicts, broken, isChecked)}${hint}`),
  };
}

const optionChecks: OptionChecks<ConformOptions> = {
  method: text,
  profile: text,
  registryProfile: text,
  requestBody: form("not a string.", (value) => typeof value === "string"),
  strict: yesOrNo,
};

/** Checks names and values at run time, for callers without TypeScript. */
function checkOptions(options: ConformOptions): void {
  const problem = optionProblem(options, optionChecks, "ConformOptions");
  if (problem !== undefined) throw new RangeError(problem);
}

/** Whether no rule could read the response. */
function isUnread(verdict: ExchangeVerdict): boolean {
  return verdict.type === "checked" && verdict.status === 0 && outcomeOf(verdict) === "PASS";
}

function messageOf(
  verdicts: readonly ExchangeVerdict[],
  broken: readonly ExchangeVerdict[],
  isChecked: boolean,
): string {
  const responses = verdicts.length === 1 ? "the response" : `${verdicts.length} responses`;
  if (verdicts.length === 0) return "expected at least one response to check, but got none";
  if (!isChecked && !verdicts.every(({ type }) => type === "unsupported"))
    return `${responses} cannot be checked: ${responses === "the response" ? "it is" : "they are"} incomplete`;
  if (!isChecked)
    return `${responses} cannot be checked: the spec has no operation ${[...new Set(verdicts.map(outsideText))].slice(0, 3).join(", ")}`;
  if (broken.length === 0) return `expected ${responses} not to conform to the spec, but no rule is broken`;
  return [
    `expected ${responses} to conform to the spec, but ${broken.length} ${broken.length === 1 ? "does" : "do"} not:`,
    ...broken.flatMap(violationsOf).map(violationText),
  ].join("\n");
}

function outsideText(verdict: ExchangeVerdict): string {
  return verdict.type === "unsupported" ? `${verdict.method} ${verdict.path}` : verdict.operationId;
}

function violationsOf(verdict: ExchangeVerdict): readonly Violation[] {
  if (verdict.type === "unsupported") return [];
  return verdict.results.flatMap(({ violations }) => violations.filter(({ outcome }) => outcome === "FAIL"));
}

function violationText({ rule, operationId, status, section, expected, actual, pointer }: Violation): string {
  return [
    `  ${rule}: ${operationId} ${status}`,
    `    expected  ${expected}`,
    `    actual    ${actual}`,
    ...(pointer === "" ? [] : [`    at        ${pointer}`]),
    `    spec      §${section}`,
  ].join("\n");
}

function specOf({ profile, registryProfile }: ConformOptions, own: ProfileNames | undefined): Spec {
  const ledger = knownProfile("ledger", profile ?? own?.ledger ?? defaultProfileOf("ledger"));
  const implied = profile === undefined && own !== undefined ? own.registry : impliedRegistryProfile(ledger);
  const registry = knownProfile("registry", registryProfile ?? implied);
  const names: ProfileNames = { ledger, registry };
  return loadSpec(names, { hasAdditionalOperations: true });
}

async function exchangesOf(received: Conformable, options: ConformOptions): Promise<readonly Exchange[]> {
  if (isResponse(received)) return [await exchangeOf(received, options)];
  const exchanges = exchangesIn(received);
  if (exchanges.every(isExchange)) return exchanges;
  const actual = received instanceof Promise ? "a promise. Await it first." : `${shown(received)}.`;
  throw new RangeError(`toConform checks exchanges, a journal, a stub or a Response of fetch, but received ${actual}`);
}

function exchangesIn(received: Exclude<Conformable, globalThis.Response>): readonly Exchange[] {
  if (isList(received)) return received;
  return isObject(received) && "journal" in received ? received.journal : [received];
}

/** Recognizes a `Response` by its members: each implementation of fetch has its own class. */
function isResponse(received: unknown): received is globalThis.Response {
  return isObject(received) && "arrayBuffer" in received && "url" in received && "status" in received;
}

function isList(received: unknown): received is readonly Exchange[] {
  return Array.isArray(received);
}

function isExchange(received: unknown): received is Exchange {
  return isObject(received) && "request" in received && "response" in received;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

async function exchangeOf(response: globalThis.Response, options: ConformOptions): Promise<Exchange> {
  if (response.url === "") throw new RangeError("the response has no URL. Check the exchanges of a journal instead.");
  if (response.bodyUsed)
    throw new RangeError("the body of the response is already read. Pass a clone() of the response.");
  const body = new Uint8Array(await response.clone().arrayBuffer());
  const { pathname, search } = new URL(response.url);
  const sent = options.requestBody ?? "";
  const contentType = sent === "" ? [] : ([["Content-Type", "application/json"]] as const);
  return {
    startedAt: new Date(0).toISOString(),
    durationMs: 0,
    request: {
      method: (options.method ?? "GET").toUpperCase(),
      target: `${pathname}${search}`,
      headers: contentType,
      body: new Body(sent),
    },
    response: { type: "response", status: response.status, headers: [...response.headers], body: new Body(body) },
  };
}
