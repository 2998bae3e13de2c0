import type { ClientReport, CountedClientFinding } from "../../../checker/client-rules/client-finding.ts";
import { ClientChecker, type ClientRulesOptions } from "../../../checker/engine/client-checker.ts";
import { CountedFaults, CountedFindings } from "../../../checker/engine/counted-findings.ts";
import { clientFindingsLine, renderClientFindings } from "../../../checker/reports/formats/client-findings.ts";
import type { Environment, Flag, Options } from "../options.ts";

export const noClientRulesFlag: Flag = {
  name: "no-client-rules",
  type: "boolean",
  help: "do not check the requests of clients against the client rules",
};

/** The conduct of clients, told as it happens: the first finding of each kind at once, and all of them at the end. */
export class WatchedClientRules {
  readonly #isJson: boolean;
  readonly #environment: Environment;
  readonly #findings = new CountedFindings();
  readonly #faults = new CountedFaults();

  constructor(options: Options, environment: Environment) {
    this.#isJson = options.flag("json");
    this.#environment = environment;
  }

  /** A checker whose findings are told. `world` is named where there are several. */
  check(settings: ClientRulesOptions, world?: string): ClientChecker {
    return new ClientChecker({
      ...settings,
      onFinding: (finding) => {
        const first = this.#findings.add(finding);
        if (first !== undefined) this.#tell(first, world);
      },
      onFault: (fault) => this.#faults.add(fault),
    });
  }

  /** Says at the end what there was, and nothing where there was nothing. */
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

  #tell(finding: CountedClientFinding, world: string | undefined): void {
    const { kind: _, count: __, ...told } = finding;
    const where = world === undefined ? {} : { world };
    if (this.#isJson) this.#environment.print(JSON.stringify({ event: "client-rules", ...where, ...told }));
    else
      this.#environment.printError(`${clientFindingsLine(finding)}${world === undefined ? "" : ` (world ${world})`}`);
  }
}

/** What is told of client rules that failed themselves; undefined where none did. */
export function clientRulesFaultSentence({ faults }: ClientReport): string | undefined {
  if (faults.length === 0) return undefined;
  const list = faults.map(({ rule, problem }) => `client rule ${rule} failed (${problem})`);
  return `Understudy has a bug: ${list.join(", ")}. The other rules checked all the same. Please report it.`;
}
