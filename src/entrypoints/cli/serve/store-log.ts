import { plainMask } from "../../../foundation/secrets/mask.ts";
import { steadyNowMs } from "../../library/steady-now-ms.ts";
import type { KeeperSettings } from "../../stores/open-keeper.ts";
import type { Environment, Options } from "../options.ts";
import { LineBudget } from "./line-budget.ts";

const faultsPerSecondMax = 10;
/** Lost worlds whose ids are printed. */
const worldsShownMax = 20;

/** Reports faults of the store, and worlds that another process may own now. */
export function storeLog(
  options: Pick<Options, "flag">,
  { print, printError }: Pick<Environment, "print" | "printError">,
): Pick<KeeperSettings, "onFault" | "onTakenAway"> {
  const report = (event: object, text: string) =>
    options.flag("json") ? print(JSON.stringify(event)) : printError(`store: ${text}`);
  const budget = new LineBudget(faultsPerSecondMax, steadyNowMs, (count) =>
    report({ event: "store-faults-omitted", count }, `${count} more faults`),
  );
  return {
    onFault: (fault) => {
      const problem = plainMask(textOfFault(fault));
      if (budget.take()) report({ event: "store-fault", problem }, problem);
    },
    onTakenAway: (ids) => {
      const [worlds, count] = [ids.slice(0, worldsShownMax), ids.length];
      const shown = [...worlds, ...(count > worldsShownMax ? ["…"] : [])].join(", ");
      report({ event: "worlds-lost", count, worlds }, `another process may own these worlds now (${count}): ${shown}`);
    },
  };
}

/** The message of an error. If several addresses of a database refuse a connection, their error has no message of its own. */
function textOfFault(fault: unknown): string {
  if (fault instanceof AggregateError && fault.message === "") return fault.errors.map(textOfFault).join("; ");
  return fault instanceof Error ? fault.message : String(fault);
}
