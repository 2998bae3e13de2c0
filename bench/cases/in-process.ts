import { fileURLToPath } from "node:url";
import type { Plan } from "../plan.ts";
import type { CaseResult } from "../results.ts";
import { measurement, printedBy } from "./million-users.ts";

const child: string = fileURLToPath(new URL("in-process-child.ts", import.meta.url));

/** The library's `fetch`, without a socket. */
export async function runInProcess(plan: Plan): Promise<readonly CaseResult[]> {
  plan.tell("fetch: in process");
  const words = [child, "fetch", plan.workspace.scenario, String(plan.effort.rounds)];
  const { spent } = await printedBy(plan, words);
  const { rounds } = measurement("fetch", spent);
  return [
    {
      name: "fetch",
      title: "in-process `fetch`",
      about:
        "the same page of users by `createUnderstudy().fetch`, one after the other; requests in a second of the processor",
      unit: "requests/s",
      isHigherBetter: true,
      measurements: [
        measurement(
          "fetch",
          rounds.map((micros) => 1e6 / micros),
        ),
      ],
      absences: [],
    },
  ];
}
