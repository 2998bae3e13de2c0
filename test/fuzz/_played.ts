import { readdirSync } from "node:fs";
import { diskFiles, packagedFile } from "../../src/entrypoints/library/files.ts";
import { hostScenario } from "../../src/entrypoints/library/host-scenario.ts";
import type { Exchange } from "../../src/foundation/http/exchange.ts";
import type { Request } from "../../src/foundation/http/request.ts";
import { impliedRegistryProfile } from "../../src/foundation/spec/spec.ts";
import { loadScenario } from "../../src/scenarios/files/load-scenario.ts";
import { runScenario } from "../../src/scenarios/files/run-scenario.ts";
import type { WorldState } from "../../src/simulator/world/world-state.ts";
import { loopbackAccess } from "../../src/stub/control/access.ts";
import { withControl } from "../../src/stub/control/control.ts";

/** A request that a scenario of the repository sends, and the state of the world that it meets. */
export interface Played {
  readonly operationId: string;
  readonly request: Request;
  readonly before: WorldState;
  readonly exchange: Exchange;
}

const nothingPlanned = { timed: [], calls: [], responses: [], expected: undefined };

/** What the scenarios of the repository come to in a profile of the ledger; nothing happens by itself in the states that are given. */
export async function playedIn(ledger: string): Promise<readonly Played[]> {
  const files = readdirSync(packagedFile("scenarios")).filter((file) => file.endsWith(".arazzo.yaml"));
  const played = await Promise.all(files.map((file) => playedOf(packagedFile(`scenarios/${file}`), ledger)));
  return played.flat();
}

async function playedOf(file: string, ledger: string): Promise<readonly Played[]> {
  const result = loadScenario(file, diskFiles, { profile: ledger });
  if (result.type === "invalid") return [];
  const profile = { ledger, registry: impliedRegistryProfile(ledger) };
  const hosting = hostScenario(result.scenario, { profile, wallNowMs: () => 0, sleep: async () => {} });
  const handler = withControl(hosting, loopbackAccess);
  await runScenario(result.scenario, {
    handler: (request) => handler({ ...request, headers: [["Host", "localhost"], ...request.headers] }),
    hasControl: true,
    nowMs: () => 0,
  });
  const records = hosting.worlds.get("default")?.journal.after(0, 1000) ?? [];
  return records.flatMap(({ entry, context }) =>
    entry.operationId === undefined || context === undefined
      ? []
      : [
          {
            operationId: entry.operationId,
            request: entry.request,
            before: {
              ...context.before,
              plan: nothingPlanned,
              responseCounts: [],
              callCounts: new Map(),
              timedDone: 0,
            },
            exchange: entry,
          },
        ],
  );
}
