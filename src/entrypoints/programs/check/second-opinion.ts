import type { ExchangeVerdict } from "../../../checker/engine/exchange-verdict.ts";
import type { Exchange } from "../../../foundation/http/exchange.ts";
import { plainMask } from "../../../foundation/secrets/mask.ts";
import { routeOf } from "../../../foundation/spec/route-of.ts";
import type { Spec } from "../../../foundation/spec/spec.ts";
import { printable } from "../../../foundation/text/printable.ts";
import type { ProgramCaller } from "../caller.ts";
import { UserError } from "../user-error.ts";
import {
  type DescriptionFinding,
  type DescriptionValidator,
  PrismMissing,
  validatorFromDescriptions,
} from "./validate-by-description.ts";

/** Prism's verdict beside ours. Throws a UserError if Prism is not installed. */
export async function createSecondOpinion(
  spec: Spec,
  { nameOf }: Pick<ProgramCaller, "nameOf">,
): Promise<SecondOpinion> {
  try {
    const { ledger, registry } = spec.descriptions;
    return new SecondOpinion(spec, await validatorFromDescriptions([ledger, registry]));
  } catch (error) {
    if (error instanceof PrismMissing)
      throw new UserError(
        `${nameOf("secondOpinion")} needs Prism, which is not installed: npm install @stoplight/prism-http`,
      );
    throw error;
  }
}

/** Exchanges with findings that are kept. */
const exchangesKeptMax = 100_000;

/** An exchange in which Prism or the checker found something. */
interface Compared {
  readonly operation: string;
  readonly prism: readonly DescriptionFinding[];
  /** Rules with their outcomes. */
  readonly rules: Set<string>;
  /** Whether the exchange exceeds the limit and is counted as such. */
  isDropped: boolean;
}

/** Collects the findings of Prism and of the checker, exchange by exchange. */
export class SecondOpinion {
  readonly #spec: Spec;
  readonly #validate: DescriptionValidator;
  readonly #known = new WeakMap<Exchange, Compared>();
  readonly #compared = new Set<Compared>();
  #exchanges = 0;
  #dropped = 0;

  constructor(spec: Spec, validate: DescriptionValidator) {
    this.#spec = spec;
    this.#validate = validate;
  }

  /** Receives each verdict of the checker, and those of later trace rules on the same exchange. */
  readonly onVerdict = (exchange: Exchange, verdict: ExchangeVerdict): void => {
    if (verdict.type === "unsupported") return;
    const known = this.#known.get(exchange) ?? this.#add(exchange, verdict);
    if (known === undefined) return;
    for (const { violations } of verdict.results)
      for (const { rule, outcome } of violations) known.rules.add(`${rule} ${outcome}`);
    if (known.prism.length > 0 || known.rules.size > 0) this.#keep(known);
  };

  #keep(found: Compared): void {
    if (this.#compared.has(found) || found.isDropped) return;
    if (this.#compared.size < exchangesKeptMax) {
      this.#compared.add(found);
      return;
    }
    found.isDropped = true;
    this.#dropped += 1;
  }

  #add(exchange: Exchange, verdict: ExchangeVerdict & { readonly type: "checked" }): Compared | undefined {
    const route = routeOf(this.#spec, exchange.request);
    if (route === undefined || route.operation.isAdditional) return undefined;
    this.#exchanges += 1;
    const found = this.#validate(exchange, route);
    // A refusal agrees with a remark on its request. Status 0 is a response that the recorder altered.
    const isAccepted = verdict.status >= 200 && verdict.status < 300;
    const prism = found.filter(({ half }) => (half === "request" ? isAccepted : verdict.status !== 0));
    const operation = `${verdict.operationId} ${verdict.status}`;
    const compared = { operation, prism, rules: new Set<string>(), isDropped: false };
    this.#known.set(exchange, compared);
    return compared;
  }

  result(): OpinionResult {
    const compared = [...this.#compared];
    const onlyPrism = compared.filter(({ prism, rules }) => prism.length > 0 && rules.size === 0);
    const onlyChecker = compared.filter(({ prism, rules }) => prism.length === 0 && rules.size > 0);
    return {
      exchanges: this.#exchanges,
      both: compared.filter(({ prism, rules }) => prism.length > 0 && rules.size > 0).length,
      onlyPrism: { exchanges: onlyPrism.length, findings: grouped(onlyPrism.flatMap(ofPrism)) },
      onlyChecker: { exchanges: onlyChecker.length, findings: grouped(onlyChecker.flatMap(ofChecker)) },
      notCompared: this.#dropped,
    };
  }
}

interface OpinionFinding {
  readonly operation: string;
  readonly finding: string;
  /** A message of Prism; empty for a rule. */
  readonly message: string;
  readonly count: number;
}

interface OpinionSide {
  readonly exchanges: number;
  readonly findings: readonly OpinionFinding[];
}

interface OpinionResult {
  readonly exchanges: number;
  /** Exchanges in which both found something. */
  readonly both: number;
  readonly onlyPrism: OpinionSide;
  readonly onlyChecker: OpinionSide;
  /** Exchanges beyond the limit. */
  readonly notCompared: number;
}

const messageLengthMax = 200;

function ofPrism({ operation, prism }: Compared): readonly OpinionFinding[] {
  return prism.map(({ kind, message }) => ({
    operation,
    finding: kind,
    message: printable(plainMask(message)).slice(0, messageLengthMax),
    count: 1,
  }));
}

function ofChecker({ operation, rules }: Compared): readonly OpinionFinding[] {
  return [...rules].map((finding) => ({ operation, finding, message: "", count: 1 }));
}

/** One finding per operation and kind, with the first message. */
function grouped(findings: readonly OpinionFinding[]): readonly OpinionFinding[] {
  const groups = Map.groupBy(findings, ({ operation, finding }) => `${operation} ${finding}`);
  return [...groups.entries()]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .flatMap(([, [first, ...others]]) => (first === undefined ? [] : [{ ...first, count: 1 + others.length }]));
}

/** What only one of the two found, in lines; none without a compared exchange. */
export function opinionLines({
  exchanges,
  both,
  onlyPrism,
  onlyChecker,
  notCompared,
}: OpinionResult): readonly string[] {
  if (exchanges === 0) return [];
  return [
    `Second opinion: ${exchanges} ${exchanges === 1 ? "exchange" : "exchanges"} compared with Prism. Findings of both in ${both}, of Prism only in ${onlyPrism.exchanges}, of Understudy only in ${onlyChecker.exchanges}.`,
    ...sideLines("Prism only", onlyPrism),
    ...sideLines("Understudy only", onlyChecker),
    ...(notCompared === 0 ? [] : [`  ${notCompared} exchanges exceed the limit and are not listed.`]),
  ];
}

function sideLines(title: string, { findings }: OpinionSide): readonly string[] {
  return findings.map(({ operation, finding, message, count }) => {
    const times = count === 1 ? "" : ` (${count} times)`;
    return `  ${title}: ${operation}: ${finding}${times}${message === "" ? "" : `: ${message}`}`;
  });
}
