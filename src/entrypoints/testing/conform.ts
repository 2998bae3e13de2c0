import { checkExchanges, type ExchangeVerdict, type Level, type Violation } from "../../checker/engine/checker.ts";
import { outcomeOf } from "../../checker/engine/exchange-verdict.ts";
import type { Exchange } from "../../foundation/http/exchange.ts";
import { plainMask } from "../../foundation/secrets/mask.ts";
import type { ProfileNames, Spec } from "../../foundation/spec/spec.ts";
import { impliedRegistryProfile, loadSpec, newestProfileOf } from "../../foundation/spec/spec.ts";
import { advise } from "../../foundation/text/suggestion.ts";
import { knownProfile } from "../library/settings.ts";
import type { MatcherResult } from "./matcher-result.ts";

/** What a matcher checks by, and what a response alone does not tell. */
export interface ConformOptions {
  /** Release of the ledger, such as `canton-3.5`; `spec` for the letter. When left out, a stub's own, else the newest. */
  readonly profile?: string;
  /** Release of the registry; what the ledger's implies when left out. */
  readonly registryProfile?: string;
  /** `spec` lets known divergences of the release fail, `release` (default) lets them pass. */
  readonly level?: Level;
  /** Method of the request, where a response of `fetch` is checked; GET when left out. */
  readonly method?: string;
  /** Body of the request, where a response of `fetch` is checked. */
  readonly requestBody?: string;
}

/** An exchange, several of them, what holds some in its journal, or a response of `fetch`. */
export type Conformable =
  | Exchange
  | readonly Exchange[]
  | { readonly journal: readonly Exchange[]; readonly profile?: ProfileNames }
  | globalThis.Response;

/**
 * Whether answers keep the contract. The message tells each broken rule with what was expected, what came, where, and the
 * section of the spec. A response of `fetch` must not have been read before: give its `clone()` where it has to be.
 * Rejects with a TypeError for what is none of these, and with a RangeError for a setting that cannot be.
 */
export async function toConform(received: Conformable, options: ConformOptions = {}): Promise<MatcherResult> {
  checkOptions(options);
  const exchanges = await exchangesOf(received, options);
  const own = "profile" in received ? received.profile : undefined;
  const spec = specOf(options, own);
  const verdicts = exchanges.map((exchange) => checkExchanges(spec, options.level ?? "release", exchange));
  const broken = verdicts.filter((verdict) => outcomeOf(verdict) === "FAIL");
  const outside = verdicts.filter((verdict) => verdict.type === "outside");
  const isChecked = verdicts.length > outside.length;
  const isMethodGuessed = isResponse(received) && options.method === undefined;
  const hint = isChecked || !isMethodGuessed ? "" : '. Was it another method than GET? Give it: { method: "POST" }';
  return {
    pass: broken.length === 0 && isChecked,
    message: () => plainMask(`${messageOf(verdicts, broken, isChecked)}${hint}`),
  };
}

const optionsNames: readonly string[] = ["level", "method", "profile", "registryProfile", "requestBody"];
const levels: readonly string[] = ["spec", "release"];

/** Programs in JavaScript have no compiler to tell them of a slip. */
function checkOptions({ level = "release", ...options }: ConformOptions): void {
  const unknown = Object.keys(options).find((name) => !optionsNames.includes(name));
  if (unknown !== undefined)
    throw new RangeError(`there is no setting ${JSON.stringify(unknown)}. ${advise(unknown, optionsNames)}`);
  if (!levels.includes(level))
    throw new RangeError(`there is no level ${JSON.stringify(level)}. ${advise(level, levels)}`);
}

function messageOf(
  verdicts: readonly ExchangeVerdict[],
  broken: readonly ExchangeVerdict[],
  isChecked: boolean,
): string {
  const responses = verdicts.length === 1 ? "the response" : `${verdicts.length} answers`;
  if (verdicts.length === 0) return "there is no response to check";
  if (!isChecked)
    return `${responses} cannot be checked: ${verdicts.map(outsideText).join(", ")} is no operation of the contract`;
  if (broken.length === 0) return `expected ${responses} not to keep the contract, and no rule is broken`;
  return [
    `expected ${responses} to keep the contract; ${broken.length === 1 ? "one breaks it" : `${broken.length} break it`}:`,
    ...broken.flatMap(violationsOf).map(violationText),
  ].join("\n");
}

function outsideText(verdict: ExchangeVerdict): string {
  return verdict.type === "outside" ? `${verdict.method} ${verdict.path}` : verdict.operationId;
}

function violationsOf(verdict: ExchangeVerdict): readonly Violation[] {
  if (verdict.type === "outside") return [];
  return verdict.results.flatMap(({ violations }) => violations.filter(({ outcome }) => outcome === "FAIL"));
}

function violationText({ rule, operationId, status, section, expected, actual, pointer }: Violation): string {
  return [
    `  ${rule}: ${operationId} ${status}`,
    `    expected  ${expected}`,
    `    came      ${actual}`,
    ...(pointer === "" ? [] : [`    at        ${pointer}`]),
    `    section   ${section} of the spec`,
  ].join("\n");
}

function specOf({ profile, registryProfile }: ConformOptions, own: ProfileNames | undefined): Spec {
  const ledger = knownProfile("ledger", profile ?? own?.ledger ?? newestProfileOf("ledger"));
  const implied = profile === undefined && own !== undefined ? own.registry : impliedRegistryProfile(ledger);
  const registry = knownProfile("registry", registryProfile ?? implied);
  const names: ProfileNames = { ledger, registry };
  return loadSpec(names, { hasAdditionalOperations: true });
}

async function exchangesOf(received: Conformable, options: ConformOptions): Promise<readonly Exchange[]> {
  if (isResponse(received)) return [await exchangeOf(received, options)];
  const exchanges = exchangesIn(received);
  if (exchanges.every(isExchange)) return exchanges;
  const what = received instanceof Promise ? "a promise; await it first" : "something else";
  throw new TypeError(`toConform checks exchanges, a journal, a stub or a response of fetch, and was given ${what}`);
}

function exchangesIn(received: Exclude<Conformable, globalThis.Response>): readonly Exchange[] {
  if (isList(received)) return received;
  return isObject(received) && "journal" in received ? received.journal : [received];
}

/** Every fetch has a class of its own. */
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
  if (response.url === "")
    throw new TypeError("the response does not tell its URL; judge the exchanges of a journal instead");
  if (response.bodyUsed) throw new TypeError("the body of the response was read before; give a clone() of it");
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
      body: new TextEncoder().encode(sent),
    },
    response: { type: "response", status: response.status, headers: [...response.headers], body },
  };
}
