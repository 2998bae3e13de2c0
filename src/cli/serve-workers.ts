import { availableParallelism } from "node:os";
import { defaultWorldId } from "../hosting/hosting.ts";
import { addedLimits, CountedLimits, type LimitsReport } from "../limits/counted-limits.ts";
import { acceptConnections, type Doorkeeper } from "../server/first-bytes.ts";
import { ownerOf, type Team } from "../workers/team.ts";
import { worldInHead } from "../workers/world-in-head.ts";
import { controlDoorOf, hostOf } from "./control-access.ts";
import { answersFrom } from "./described.ts";
import { limitsFrom, summarizeLimits } from "./limit-flags.ts";
import { withinOpenFiles } from "./open-files.ts";
import type { Environment, Options } from "./options.ts";
import type { ReadyFile } from "./ready-file.ts";
import { announce, servedFrom, startOf } from "./serve.ts";
import { atAddress, tellingOfCrowds, tlsOf } from "./server-settings.ts";
import { exitCodes } from "./user-error.ts";
import { WatchedConduct } from "./watched-conduct.ts";
import { forkPrefixFrom, workersOf } from "./worker-flags.ts";
import { WorkerProcesses } from "./worker-processes.ts";

/** Serves a scenario by several processes behind one address. This one accepts connections and serves no world itself. */
export async function serveWorkers(
  file: string,
  options: Options,
  environment: Environment,
  readyFile: ReadyFile,
): Promise<number> {
  const team = { count: workersOf(options), prefix: forkPrefixFrom(options) };
  const limits = new CountedLimits(withinOpenFiles(limitsFrom(options), options, environment));
  const startMs = startOf(options.text("start"));
  const fallback = await answersFrom(options);
  // What is wrong with the scenario or the flags is told here, and once.
  const { hosting } = servedFrom(file, options, { keys: undefined, fallback, conduct: undefined, limits, startMs });
  const control = controlDoorOf(options, hostOf(options));
  const ready = Promise.withResolvers<WorkerProcesses>();
  const { url, door } = await openDoor({ options, team, limits, environment }, ready.promise);
  tellOfCores(team, environment);
  const conduct = options.flag("no-conduct") ? undefined : new WatchedConduct(options, environment);
  const workers = new WorkerProcesses({
    team,
    environment,
    startMs,
    controlToken: control.token,
    onConduct: ({ finding, world }) => conduct?.tellFirst(finding, world),
  });
  const stopped = environment.stopped().then(() => undefined);
  const reports: LimitsReport[] = [];
  let death: string | undefined;
  try {
    death = await Promise.race([workers.ready().then(() => undefined), workers.died]);
    if (death === undefined) {
      ready.resolve(workers);
      announce(
        options,
        environment,
        { url },
        { file, hosting, hasInspector: false, door: control, readyFile, workers: workers.pids },
      );
      death = await Promise.race([stopped, workers.died]);
    }
  } finally {
    door.close();
    for (const told of await workers.stop()) {
      conduct?.add(told.conduct);
      reports.push(told.limits);
    }
    readyFile.remove();
  }
  conduct?.summarize();
  summarizeLimits(addedLimits([limits.report(), ...reports]), options, environment);
  if (death === undefined) return exitCodes.fine;
  environment.printError(`${death}. The stub has stopped, and its worlds are gone.`);
  return exitCodes.fault;
}

function tellOfCores({ count }: Team, environment: Environment): void {
  const cores = availableParallelism();
  if (count <= cores) return;
  const these = cores === 1 ? "the one core" : `the ${cores} cores`;
  environment.printError(`--workers ${count} is more than ${these} of this machine; --workers ${cores} does as much.`);
}

interface DoorSettings {
  readonly options: Options;
  readonly team: Team;
  readonly limits: CountedLimits;
  readonly environment: Environment;
}

/** Listens where the flags say, and leads each connection to the worker that owns the world of its first request. */
async function openDoor(
  { options, team, limits, environment }: DoorSettings,
  workers: Promise<WorkerProcesses>,
): Promise<{ readonly url: string; readonly door: Doorkeeper }> {
  const hasControl = !options.flag("no-control");
  const isReadable = tlsOf(options) === undefined;
  let connections = 0;
  // Nobody can look into what is encrypted, so there all workers are as good as each other.
  const workerFor = (bytes: Uint8Array): number => {
    connections += 1;
    if (!isReadable) return (connections % team.count) + 1;
    return ownerOf(worldInHead(bytes, hasControl) ?? defaultWorldId, team);
  };
  return atAddress(options, async ({ host, port }) => {
    const door = await acceptConnections({
      host,
      port,
      limits,
      ...tellingOfCrowds(limits, environment),
      isEnough: isReadable ? (bytes) => worldInHead(bytes, hasControl) !== undefined : undefined,
      hand: (socket, bytes) => {
        const worker = workerFor(bytes);
        void workers.then((known) => known.hand(worker, socket, bytes));
      },
    });
    const shownHost = host.includes(":") ? `[${host}]` : host;
    return { url: `${isReadable ? "http" : "https"}://${shownHost}:${door.port}`, door };
  });
}
