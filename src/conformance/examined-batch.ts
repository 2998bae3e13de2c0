import type { Exchange } from "../http/exchange.ts";
import type { HeaderList } from "../http/header.ts";
import type { Spec } from "../spec/spec.ts";
import type { Examined } from "./examiner.ts";
import type { ExchangeVerdict, RuleResult, Violation } from "./judge.ts";
import { recalledExchange } from "./recalled-exchange.ts";
import type { Span } from "./rule.ts";
import { type ThinExchange, thickener, thinned } from "./thin-exchange.ts";

/** Exchanges that another thread has examined, as they are sent: what they have in common is there once. */
export interface ExaminedBatch {
  readonly rows: readonly ExaminedRow[];
  readonly headerLists: readonly HeaderList[];
  readonly verdicts: readonly BareVerdict[];
}

/** One exchange with its place in the file. A list, since members with names would be sent with their names. */
export type ExaminedRow = readonly [
  at: number,
  entryBytes: number,
  span: readonly [start: number, end: number] | undefined,
  bodyBytes: number,
  verdict: number,
  thin: ThinRow | undefined,
];

type ThinRow = readonly [
  method: string,
  target: string,
  requestHeaders: number,
  requestText: string,
  status: number,
  answerHeaders: number,
  answerText: string,
  length: number,
];

/** A verdict whose violations hold neither the exchange nor a value, which reports do not show. */
type BareVerdict = Exclude<ExchangeVerdict, { readonly type: "judged" }> | BareJudged;

interface BareJudged extends Omit<Extract<ExchangeVerdict, { readonly type: "judged" }>, "results"> {
  readonly results: readonly BareResult[];
}

interface BareResult extends Omit<RuleResult, "violations"> {
  readonly violations: readonly BareViolation[];
}

type BareViolation = Omit<Violation, "exchange" | "value">;

/** Where an examined exchange stands in its file, when it took place, and how many bytes its bodies have. */
export interface ExaminedPlace {
  readonly at: number;
  readonly entryBytes: number;
  readonly span: Span | undefined;
  readonly bodyBytes: number;
}

/** Gathers examined exchanges to be sent. */
export class BatchWriter {
  readonly #rows: ExaminedRow[] = [];
  readonly #headerLists = new Places<HeaderList>();
  readonly #verdicts = new Places<BareVerdict>();

  add({ at, entryBytes, span, bodyBytes }: ExaminedPlace, { judged, verdict }: Examined): void {
    const when = span === undefined ? undefined : ([span.start, span.end] as const);
    const place = this.#verdicts.of(keyOf(verdict), () => bare(verdict));
    const thin = judged === undefined ? undefined : this.#rowOf(thinned(judged));
    this.#rows.push([at, entryBytes, when, bodyBytes, place, thin]);
  }

  batch(): ExaminedBatch {
    return { rows: this.#rows, headerLists: this.#headerLists.all, verdicts: this.#verdicts.all };
  }

  #rowOf(thin: ThinExchange): ThinRow {
    const { method, target, requestText, status, answerText, length } = thin;
    const [asked, answered] = [this.#placeOf(thin.requestHeaders), this.#placeOf(thin.answerHeaders)];
    return [method, target, asked, requestText, status, answered, answerText, length];
  }

  #placeOf(headers: HeaderList): number {
    let key = "";
    for (const [name, value] of headers) key += `${name}\n${value}\n`;
    return this.#headerLists.of(key, () => headers);
  }
}

/** Values by their keys, each with its place in a list. */
class Places<Value> {
  readonly all: Value[] = [];
  readonly #places = new Map<string, number>();

  of(key: string, make: () => Value): number {
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    this.#places.set(key, this.all.length);
    return this.all.push(make()) - 1;
  }
}

/** The same for verdicts that say the same. */
function keyOf(verdict: ExchangeVerdict): string {
  if (verdict.type === "outside") return "outside";
  let key = `${verdict.operationId} ${verdict.status}`;
  for (const { rule, violations } of verdict.results) {
    key += ` ${rule}`;
    for (const { outcome, divergence, pointer, keyword, expected, actual } of violations)
      key += `\n${outcome} ${divergence} ${pointer} ${keyword}\n${expected}\n${actual}\n`;
  }
  return key;
}

function bare(verdict: ExchangeVerdict): BareVerdict {
  if (verdict.type === "outside") return { type: "outside", method: "", path: "" };
  const results = verdict.results.map((result) => ({ ...result, violations: result.violations.map(bareViolation) }));
  return { ...verdict, results };
}

function bareViolation({ exchange: _, value: __, ...violation }: Violation): BareViolation {
  return violation;
}

/** An exchange of a batch with its turn. */
export interface ExaminedElsewhere {
  readonly span: Span | undefined;
  readonly bodyBytes: number;
  examined(): Examined;
}

/** Gives the exchanges of a batch. `recall` reads the entry of that place again. */
export function batchReader(
  spec: Spec,
  recall: (at: number, entryBytes: number) => Exchange,
): (batch: ExaminedBatch) => readonly ExaminedElsewhere[] {
  const judgedOf = thickener(spec);
  return ({ rows, headerLists, verdicts: bareVerdicts }) => {
    const verdicts = bareVerdicts.map(givenExchange);
    return rows.map(([at, entryBytes, when, bodyBytes, place, row]) => {
      const span = when === undefined ? undefined : { start: when[0], end: when[1] };
      const examined = (): Examined => {
        const verdictOf = verdicts[place] ?? nowhere;
        if (row === undefined) return { judged: undefined, verdict: verdictOf(undefined) };
        const thin = thinOf(row, headerLists);
        const exchange = recalledExchange(thin, () => recall(at, entryBytes));
        return { judged: judgedOf(thin, exchange, span), verdict: verdictOf(exchange) };
      };
      return { span, bodyBytes, examined };
    });
  };
}

function thinOf(row: ThinRow, headerLists: readonly HeaderList[]): ThinExchange {
  const [method, target, asked, requestText, status, answered, answerText, length] = row;
  const [requestHeaders, answerHeaders] = [headerLists[asked] ?? [], headerLists[answered] ?? []];
  return { method, target, requestHeaders, requestText, status, answerHeaders, answerText, length };
}

type VerdictOf = (exchange: Exchange | undefined) => ExchangeVerdict;

const nowhere: VerdictOf = () => ({ type: "outside", method: "", path: "" });

/** Only what broke a rule holds its exchange; what broke none is the same for all. */
function givenExchange(verdict: BareVerdict): VerdictOf {
  if (verdict.type === "outside") return () => verdict;
  const { type, operationId, status } = verdict;
  const kept = verdict.results.map((result): RuleResult => ({ ...result, violations: [] }));
  const broken = verdict.results.flatMap((result, place) =>
    result.violations.length === 0 ? [] : [{ result, place }],
  );
  return (exchange) => {
    if (exchange === undefined || broken.length === 0) return { type, operationId, status, results: kept };
    const results = kept.slice();
    for (const { result, place } of broken)
      results[place] = { ...result, violations: result.violations.map((violation) => ({ ...violation, exchange })) };
    return { type, operationId, status, results };
  };
}
