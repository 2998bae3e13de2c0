import type { Exchange } from "../../foundation/http/exchange.ts";
import { jsonOf } from "../../foundation/json/json.ts";
import { objectOf, optionalTextOf, textOf } from "../../foundation/json/members.ts";
import { contracts } from "../../foundation/spec/contracts.ts";
import type { ProfileNames } from "../../foundation/spec/spec.ts";

/** Counts by name. */
export type Counts = Readonly<Record<string, number>>;

/** What the tests of a consumer have exercised. Counts of several processes can be added. */
export interface CoverageCounts {
  readonly profile: ProfileNames;
  readonly exchanges: number;
  /** Exchanges that match no operation. */
  readonly unmatched: number;
  /** By operation: exchanges by status (0 for an incomplete response) and by error code. */
  readonly operations: Readonly<Record<string, { readonly statuses: Counts; readonly codes: Counts }>>;
  /** By client rule: the exchanges that it applied to, and those that broke it. */
  readonly clientRules: Readonly<Record<string, { readonly exercised: number; readonly broken: number }>>;
}

/** Counts what a consumer exercises, in all worlds of a stub. */
export class ConsumerCoverage {
  readonly #profile: ProfileNames;
  readonly #operations = new Map<string, { statuses: Record<string, number>; codes: Record<string, number> }>();
  readonly #clientRules = new Map<string, { exercised: number; broken: number }>();
  #exchanges = 0;
  #unmatched = 0;

  constructor(profile: ProfileNames) {
    this.#profile = profile;
  }

  /** Counts an exchange; `operationId` is undefined if it matches no operation. */
  addExchange(operationId: string | undefined, exchange: Exchange): void {
    this.#exchanges += 1;
    if (operationId === undefined) {
      this.#unmatched += 1;
      return;
    }
    const known = this.#operations.get(operationId);
    const counts = known ?? { statuses: {}, codes: {} };
    if (known === undefined) this.#operations.set(operationId, counts);
    const { response } = exchange;
    increase(counts.statuses, String(response.type === "response" ? response.status : 0));
    const code = errorCodeOf(exchange);
    if (code !== undefined) increase(counts.codes, code);
  }

  /** Counts an exchange that a client rule applied to. */
  addRule(rule: string, isBroken: boolean): void {
    const known = this.#clientRules.get(rule);
    const counts = known ?? { exercised: 0, broken: 0 };
    if (known === undefined) this.#clientRules.set(rule, counts);
    counts.exercised += 1;
    if (isBroken) counts.broken += 1;
  }

  counts(): CoverageCounts {
    return {
      profile: this.#profile,
      exchanges: this.#exchanges,
      unmatched: this.#unmatched,
      operations: Object.fromEntries(this.#operations),
      clientRules: Object.fromEntries(this.#clientRules),
    };
  }
}

function increase(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}

const codes: ReadonlySet<string> = new Set(contracts.errorCodes.codes.map(({ code }) => code));

/** The ledger's error code in a response: a member, or the beginning of a text. Undefined for a code outside the catalogue. */
function errorCodeOf({ response }: Exchange): string | undefined {
  if (response.type !== "response" || response.status < 400) return undefined;
  const text = response.body.text();
  const json = jsonOf(text);
  const code = optionalTextOf(objectOf(json)["code"]) ?? /^"?([A-Z][A-Z0-9_]*): /.exec(textOf(json) || text)?.[1];
  return code !== undefined && codes.has(code) ? code : undefined;
}
