import type {
  ClientFinding,
  ClientReport,
  CountedClientFinding,
} from "../../../checker/client-rules/client-finding.ts";
import { ClientChecker, type ClientRulesOptions } from "../../../checker/engine/client-checker.ts";
import { CountedFaults, CountedFindings } from "../../../checker/engine/counted-findings.ts";
import { clientFindingsLine, renderClientFindings } from "../../../checker/reports/formats/client-findings.ts";
import type { Exchange } from "../../../foundation/http/exchange.ts";
import { booleanFlag, type Environment, type Flag, type Options } from "../options.ts";

export const noClientRulesFlag: Flag = {
  ...booleanFlag("no-client-rules", "do not check the requests of clients against the client rules"),
  group: "Check",
};

/** Prints client findings beside the requests in which they were found. */
export interface FindingLog {
  find(finding: ClientFinding, exchange: Exchange): void;
}

/** Client findings during a run: prints the first finding of each kind at once, or all in a log, and a summary at the end. */
export class WatchedClientRules {
  readonly #isJson: boolean;
  readonly #environment: Environment;
  readonly #log: FindingLog | undefined;
  readonly #findings = new CountedFindings();
  readonly #faults = new CountedFaults();

  constructor(options: Options, environment: Environment, log?: FindingLog) {
    this.#isJson = options.flag("json");
    this.#environment = environment;
    this.#log = log;
  }

  /** A checker whose findings are printed. `world` is given if there are several worlds. */
  check(options: ClientRulesOptions, world?: string): ClientChecker {
    return new ClientChecker({
      ...options,
      onFinding: (found, exchange) => {
        const first = this.#findings.add(found);
        if (this.#log !== undefined) this.#log.find(found.shown, exchange);
        else if (first !== undefined) this.#print(first, world);
      },
      onFault: (fault) => this.#faults.add(fault),
    });
  }

  /** Prints all findings and faults; prints nothing without any. */
  summarize(): void {
    const { dropped } = this.#findings;
    const report = { findings: this.#findings.list(), dropped, faults: this.#faults.list() };
    const { isColoured, print, printError } = this.#environment;
    if (report.findings.length > 0)
      print(
        this.#isJson
          ? JSON.stringify({ event: "client-rules-summary", ...report })
          : renderClientFindings(report, isColoured),
      );
    const fault = clientRulesFaultSentence(report);
    if (fault !== undefined) printError(fault);
  }

  #print(finding: CountedClientFinding, world: string | undefined): void {
    const { kind: _, count: __, ...shown } = finding;
    const where = world === undefined ? {} : { world };
    if (this.#isJson) this.#environment.print(JSON.stringify({ event: "client-rules", ...where, ...shown }));
    else
      this.#environment.printError(`${clientFindingsLine(finding)}${world === undefined ? "" : ` (world ${world})`}`);
  }
}

/** The message for client rules that threw an error; undefined without any. */
export function clientRulesFaultSentence({ faults }: ClientReport): string | undefined {
  if (faults.length === 0) return undefined;
  const list = faults.map(({ rule, problem }) => `client rule ${rule} failed (${problem})`);
  return `Understudy has a bug: ${list.join(", ")}. The other rules are not affected. Please report it.`;
}
