import { Socket } from "node:net";
import { ConductJudge, type ConductSettings } from "../conformance/conduct-judge.ts";
import { CountedFaults, CountedFindings } from "../conformance/counted-findings.ts";
import { guarded } from "../control/access.ts";
import { defaultWorldId } from "../hosting/hosting.ts";
import { CountedLimits } from "../limits/counted-limits.ts";
import { type RunningServer, startServer } from "../server/http-server.ts";
import { amongWorkers } from "../workers/among-workers.ts";
import { answerWorkers, askWorkers, type InnerServer, type OtherWorkers } from "../workers/between-workers.ts";
import { forkPrefixOf } from "../workers/team.ts";
import { controlAccessOf, hostOf } from "./control-access.ts";
import { answersFrom } from "./described.ts";
import { limitsFrom } from "./limit-flags.ts";
import { withinOpenFiles } from "./open-files.ts";
import type { Environment, Options } from "./options.ts";
import { handlerOf, servedFrom } from "./serve.ts";
import { serverSettings } from "./server-settings.ts";
import { exitCodes, UserError } from "./user-error.ts";
import type { WatchedConduct } from "./watched-conduct.ts";
import { type Duty, type FromWorker, isMessage, type ToWorker } from "./worker-messages.ts";

/** One of the processes of `serve --workers`: it does what the first one says, and ends with it. */
export async function runWorker(file: string, options: Options, environment: Environment): Promise<number> {
  // The first process stops its workers when their time has come; a signal to all of them at once must not.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => undefined);
  process.on("disconnect", () => process.exit());
  if (!process.connected) process.exit();
  const worker = new WorkerProcess(file, options, environment);
  return new Promise((resolve) => {
    process.on("message", (message: unknown, connection: unknown) => {
      if (!isMessage<ToWorker>(message)) return;
      worker.hear(message, connection).then(
        (isOver) => {
          if (isOver) resolve(exitCodes.fine);
        },
        (error: unknown) => {
          environment.printError(error instanceof Error ? error.message : String(error));
          process.exit(error instanceof UserError ? error.exitCode : exitCodes.fault);
        },
      );
    });
  });
}

class WorkerProcess {
  readonly #file: string;
  readonly #options: Options;
  readonly #environment: Environment;
  readonly #conduct = new ReportedConduct();
  readonly #limits: CountedLimits;
  #servers: { readonly outer: RunningServer; readonly inner: InnerServer } | undefined;
  #others: OtherWorkers | undefined;
  #secret = "";

  constructor(file: string, options: Options, environment: Environment) {
    this.#file = file;
    this.#options = options;
    this.#environment = environment;
    this.#limits = new CountedLimits(withinOpenFiles(limitsFrom(options), options, environment));
  }

  /** Does what a message says; whether that was the last one. */
  async hear(message: ToWorker, connection: unknown): Promise<boolean> {
    switch (message.type) {
      case "begin":
        await this.#begin(message.duty);
        return false;
      case "met":
        this.#others = askWorkers(message.ports, this.#secret);
        return false;
      case "connection":
        if (connection instanceof Socket) this.#servers?.outer.take(connection, message.bytes);
        return false;
      case "drain":
        await this.#servers?.outer.close();
        await tell({ type: "drained" });
        return false;
      case "end":
        this.#others?.close();
        this.#servers?.inner.close();
        await tell({ type: "ended", conduct: this.#conduct.report(), limits: this.#limits.report() });
        process.disconnect();
        return true;
    }
  }

  async #begin({ worker, team, secret, startMs, controlToken }: Duty): Promise<void> {
    const [options, environment] = [this.#options, this.#environment];
    this.#secret = secret;
    const { hosting } = servedFrom(this.#file, options, {
      keys: undefined,
      fallback: await answersFrom(options),
      conduct: options.flag("no-conduct") ? undefined : this.#conduct,
      limits: this.#limits,
      startMs,
      forkPrefix: forkPrefixOf(worker, team),
    });
    const access = controlAccessOf(options, hostOf(options), controlToken);
    const { handler, forOthers } = amongWorkers({
      worker,
      team,
      own: handlerOf(hosting, options, access),
      ask: (other, request) => {
        if (this.#others === undefined) throw new Error("invariant: workers know each other before a request comes");
        return this.#others.ask(other, request);
      },
      hasControl: !options.flag("no-control"),
      isDefaultAsBegun: () => hosting.worlds.get(defaultWorldId)?.world.isAsBegun === true,
    });
    const settings = serverSettings(
      options,
      environment,
      options.flag("no-control") ? handler : guarded(access, handler),
      this.#limits,
    );
    this.#servers = {
      outer: await startServer({ ...settings, host: "127.0.0.1", port: 0, isHanded: true }),
      inner: await answerWorkers({ secret, handler: forOthers, onFault: settings.onFault }),
    };
    await tell({ type: "listening", port: this.#servers.inner.port });
  }
}

/** The conduct of a worker's clients, for the first process to tell. */
class ReportedConduct implements Pick<WatchedConduct, "judge" | "report"> {
  readonly #findings = new CountedFindings();
  readonly #faults = new CountedFaults();

  judge(settings: ConductSettings, world?: string): ConductJudge {
    return new ConductJudge({
      ...settings,
      onFinding: (finding) => {
        if (this.#findings.add(finding) !== undefined) void tell({ type: "conduct", finding, world });
      },
      onFault: (fault) => this.#faults.add(fault),
    });
  }

  report(): ReturnType<WatchedConduct["report"]> {
    return { findings: this.#findings.list(), dropped: this.#findings.dropped, faults: this.#faults.list() };
  }
}

/** Resolves when it is on its way; where nobody listens any more, this process ends anyway. */
function tell(message: FromWorker): Promise<void> {
  return new Promise((resolve) => {
    process.send?.(message, undefined, {}, () => resolve());
  });
}
