import { Verdict } from "../../../checker/engine/verdict.ts";
import { textResponse } from "../../../foundation/http/response.ts";
import { CountedLimits } from "../../../foundation/limits/counted-limits.ts";
import { limits } from "../../../foundation/limits/limits.ts";
import { loadSpec, newestProfileOf, type ProfileNames } from "../../../foundation/spec/spec.ts";
import type { Redactor } from "../../../recordings/redaction/redactor.ts";
import { Inspection } from "../../../stub/inspection/inspection.ts";
import { RecordedTraffic } from "../../../stub/inspection/recorded-traffic.ts";
import { type ProxyOptions, type RunningProxy, startProxy } from "../../../transport/proxy/proxy.ts";
import type { TargetUrls } from "../../../transport/proxy/targets.ts";
import { type RunningServer, startServer } from "../../../transport/server/http-server.ts";
import { inspectorFiles } from "../../library/files.ts";
import { keepHeapSmall } from "../files/keep-heap-small.ts";
import { fileOf, type NamedFile } from "../files/named-file.ts";
import { checkWritable } from "../files/write-whole.ts";
import { checkedBaseUrl } from "../flags/base-url.ts";
import {
  allOperationsFlag,
  levelOf,
  profileFlag,
  profileOf,
  registryProfileFlag,
  strictFlag,
} from "../flags/profile-flags.ts";
import { isQuiet } from "../flags/quiet-flag.ts";
import { hostFlag, portFlag, readyFileFlag } from "../flags/server-flags.ts";
import { timeoutFlag, timeoutMsOf } from "../flags/timeout.ts";
import { wholeNumber } from "../flags/whole-number.ts";
import type { Command, Environment, Options } from "../options.ts";
import { redactionFlags, redactorOf, writeNames } from "../redaction/redaction-flags.ts";
import { checkReportFlags, finish, reportFlags } from "../report/finish-report.ts";
import { noClientRulesFlag, WatchedClientRules } from "../report/watched-client-rules.ts";
import {
  type ControlEndpoint,
  controlAccessFlags,
  controlEndpointOf,
  isLoopbackAddress,
  reachableUrl,
  signInQuery,
} from "../server/control-access.ts";
import { type ReadyFile, readyFileOf } from "../server/ready-file.ts";
import { steadyNowMs } from "../target/steady-now-ms.ts";
import { exitCodes, UserError } from "../user-error.ts";
import { version } from "../version.ts";
import { LiveChecker } from "./live-checker.ts";
import { Recorder, type RecorderCounts } from "./recorder.ts";
import { createRecordingFile, type RecordingFile } from "./recording-file.ts";
import { recoverRecording } from "./recover-recording.ts";

const timeoutSecondsDefault = 300;
const bodyBytesMaxDefault = 8 * 1024 * 1024;
/** Two such bodies as base64 fit an entry that can be read again. */
const bodyBytesMaxMax = 20 * 1024 * 1024;
/** The last byte of a response waits no longer for its line to be in the file. */
const heldMsMax = 1000;
/** Exchanges in flight get so long when the recording ends. */
const closeGraceMs = 10_000;

export const record: Command = {
  name: "record",
  usage: "record --ledger URL --registry URL --out FILE [flags], or record --recover FILE",
  flags: [
    { name: "ledger", type: "string", value: "URL", help: "forward requests to this JSON Ledger API" },
    {
      name: "registry",
      type: "string",
      value: "URL",
      help: "forward requests below /registry/ to this token registry",
    },
    { name: "out", type: "string", value: "FILE", help: "write the recording to this file (HAR 1.2)" },
    portFlag(7576),
    hostFlag,
    readyFileFlag,
    timeoutFlag(`time limit for a response of a target (default ${timeoutSecondsDefault})`),
    {
      name: "body-max",
      type: "string",
      value: "BYTES",
      help: `longest body to record (default ${bodyBytesMaxDefault})`,
      isRare: true,
    },
    profileFlag("release to expect (default: the newest)"),
    registryProfileFlag,
    strictFlag,
    allOperationsFlag,
    noClientRulesFlag,
    { name: "inspector", type: "boolean", help: "serve a page that shows the traffic, on a port of its own" },
    ...controlAccessFlags,
    ...redactionFlags,
    { name: "recover", type: "string", value: "FILE", help: "repair a recording that a crash left incomplete" },
    ...reportFlags,
  ],
  examples: [
    "understudy record --ledger http://localhost:7575 --out traffic.har",
    "understudy record --recover traffic.har",
  ],
  run: runRecord,
};

async function runRecord(options: Options, environment: Environment): Promise<number> {
  if (options.positionals.length > 0)
    throw new UserError("record takes flags only: understudy record --ledger URL --registry URL --out x.har");
  const torn = fileOf("recover", options);
  if (torn !== undefined) return recover(torn, options, environment);
  const given = readGiven(options, environment);
  const level = levelOf(options);
  const spec = loadSpec(given.profile, { hasAdditionalOperations: true });
  const verdict = new Verdict(spec);
  const areAdditionalOperationsChecked = options.flag("all-operations");
  keepHeapSmall(environment);
  const clientRules = options.flag("no-client-rules") ? undefined : new WatchedClientRules(options, environment);
  const ofClient = clientRules?.check({ spec, order: "by-time", isWhole: false, isOneWorld: false });
  const checker = new LiveChecker(
    { spec, level, areAdditionalOperationsChecked, order: "by-time", isExclusive: false },
    verdict,
    ofClient,
  );
  const shown = options.flag("inspector")
    ? new RecordedTraffic(spec, { level, areAdditionalOperationsChecked }, journalLimits, Date.now)
    : undefined;
  const { counts, problem } = await recordUntilStopped({ checker, shown }, given, environment);
  checker.end();
  tell(given, { counts, checker }, environment);
  const reason = `${given.profile.ledger}, ${options.text("profile") === undefined ? "the newest release" : "set by --profile"}`;
  const sources = [...new Set([given.targets.ledger, given.targets.registry].flatMap((url) => url ?? []))];
  const about = { level, sources, profileReason: reason, probing: undefined, baseline: undefined };
  const summary = verdict.summary();
  const responded = summary.exchanges - summary.unsupported - summary.incompleteResponses + counts.cut;
  const isInconclusive = counts.recorded > 0 && responded === 0;
  const incomplete = isInconclusive ? { incomplete: ["no response of the two APIs came"] } : {};
  const exitCode = finish({ summary, ...about, ...incomplete }, options, environment);
  clientRules?.summarize();
  if (problem !== undefined) environment.printError(problem.message);
  // The disk that took no more of the recording may not take the names either.
  if (given.names !== undefined) writeNames(given.names, given.redactor);
  const isWhole = problem === undefined && !isInconclusive && counts.dropped + counts.withheld + counts.unnamed === 0;
  return isWhole ? exitCode : exitCodes.usage;
}

/** Everything that the flags say, checked before anything is done. */
interface Given {
  readonly targets: TargetUrls;
  readonly out: NamedFile;
  readonly isForced: boolean;
  readonly host: string;
  readonly port: number;
  readonly profile: ProfileNames;
  readonly timeoutMs: number;
  readonly bodyBytesMax: number;
  readonly readyFile: ReadyFile;
  readonly redactor: Redactor;
  /** Where it is kept what was renamed to what. */
  readonly names: NamedFile | undefined;
  readonly isJson: boolean;
  readonly isQuiet: boolean;
  /** How the inspector is entered. */
  readonly endpoint: ControlEndpoint;
}

function readGiven(options: Options, environment: Environment): Given {
  const targets = { ledger: targetOf("ledger", options), registry: targetOf("registry", options) };
  if (targets.ledger === undefined && targets.registry === undefined)
    throw new UserError("record needs to know where requests go: --ledger URL, --registry URL or both.");
  const [out, names] = [fileOf("out", options), fileOf("names", options)];
  if (out === undefined) throw new UserError("record needs a file to write to: --out x.har");
  if (names !== undefined) checkWritable(names, [out]);
  checkReportFlags(options, [out]);
  const host = options.text("host") ?? "127.0.0.1";
  return {
    targets,
    out,
    isForced: options.flag("force"),
    host: host.replace(/^\[|\]$/g, ""),
    port: wholeNumber(options, "port", { byDefault: 7576, min: 0, max: 65535 }),
    profile: profileOf(options, newestProfileOf("ledger")),
    timeoutMs: timeoutMsOf(options, timeoutSecondsDefault),
    bodyBytesMax: wholeNumber(options, "body-max", { byDefault: bodyBytesMaxDefault, min: 0, max: bodyBytesMaxMax }),
    readyFile: readyFileOf(options, names === undefined ? [out] : [out, names]),
    redactor: redactorOf(options, environment),
    names,
    isJson: options.flag("json"),
    isQuiet: isQuiet(options),
    endpoint: controlEndpointOf(options, inspectorHost),
  };
}

function targetOf(name: "ledger" | "registry", options: Options): string | undefined {
  const text = options.text(name);
  return text === undefined ? undefined : checkedBaseUrl(name, text);
}

interface Ended {
  readonly counts: RecorderCounts;
  /** Why nothing could be recorded any more. */
  readonly problem: UserError | undefined;
}

/** Records until the user asks to stop or the disk takes no more; exchanges in flight end, and the file is whole. */
async function recordUntilStopped(
  { checker, shown }: { readonly checker: LiveChecker; readonly shown: RecordedTraffic | undefined },
  given: Given,
  environment: Environment,
): Promise<Ended> {
  const begun = Promise.withResolvers<Recorder>();
  const fault = Promise.withResolvers<never>();
  const proxy = await listen(given, (passed) =>
    begun.promise.then((recorder) => recorder.take(passed)).catch(fault.reject),
  );
  // An earlier recording is replaced only when this one is sure to begin.
  const file = await beginFile(given, proxy);
  const recorder = new Recorder({
    redactor: given.redactor,
    file,
    checker,
    warn: environment.printError,
    onRecorded: (exchange) => {
      shown?.add(exchange);
      environment.progress(`${file.entries} exchanges, ${checker.failed} of them fail`);
    },
  });
  let inspector: RunningServer | undefined;
  try {
    if (shown !== undefined) inspector = await serveInspector(shown, given.endpoint, environment);
    begun.resolve(recorder);
    const stopped = environment.stopped();
    announce(given, { url: reachableUrl(proxy.url), inspector: inspector?.url }, environment);
    await Promise.race([stopped, file.failure, fault.promise]);
  } finally {
    await proxy.close();
    await recorder.idle();
    await file.close();
    await inspector?.close();
    given.readyFile.remove();
  }
  return { counts: recorder.counts, problem: file.problem };
}

async function beginFile({ out, isForced }: Given, proxy: RunningProxy): Promise<RecordingFile> {
  try {
    return await createRecordingFile(out, { isForced, version: version() });
  } catch (error) {
    await proxy.close();
    throw error;
  }
}

async function listen(given: Given, onExchange: ProxyOptions["onExchange"]): Promise<RunningProxy> {
  const { host, port } = given;
  for (const url of [given.targets.ledger, given.targets.registry])
    if (url !== undefined && port > 0 && isItself(url, given))
      throw new UserError(`${url} would be this proxy itself. Choose another port with --port N.`);
  try {
    return await startProxy({
      ...given,
      heldMsMax,
      closeGraceMs,
      nowMs: steadyNowMs,
      onExchange,
    });
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    if (error.code === "EADDRINUSE")
      throw new UserError(`Port ${port} is taken. Choose another with --port N, or --port 0 for a free one.`);
    throw new UserError(`The proxy cannot listen on ${host}, port ${port}: ${error.message}.`);
  }
}

const journalLimits = {
  exchangesMax: limits.journalExchangesMax.byDefault,
  bytesMax: limits.journalBytesMax.byDefault,
};

function isItself(url: string, { host, port }: Given): boolean {
  const { hostname, port: urlPort, protocol } = new URL(url);
  const isHere = hostname === host || isLoopbackAddress(hostname);
  return isHere && protocol === "http:" && Number(urlPort || 80) === port;
}

/** What passes is for whoever sits at this machine. */
const inspectorHost = "127.0.0.1";

/** The page has a port of its own: of the proxy's paths every one belongs to the targets. */
function serveInspector(
  shown: RecordedTraffic,
  { access }: ControlEndpoint,
  environment: Environment,
): Promise<RunningServer> {
  const nothing = async () => textResponse(404, "text/plain; charset=UTF-8", "The inspector is at /__understudy/.");
  const counted = new CountedLimits({ bodyBytesMax: limits.bodyBytesMax.min });
  const settings = { source: shown, access, page: inspectorFiles(), limits: counted, later: setTimeout };
  return startServer({
    handler: new Inspection({ ...settings, inner: nothing }).handler,
    host: inspectorHost,
    port: 0,
    limits: counted,
    isCorsAllowed: false,
    onFault: (fault) => environment.printError(`fault: ${String(fault)}`),
  });
}

interface Addresses {
  readonly url: string;
  /** Of the page that shows what passes. */
  readonly inspector: string | undefined;
}

function announce(
  { readyFile, targets, out, host, isJson, isQuiet, endpoint }: Given,
  { url, inspector }: Addresses,
  environment: Environment,
): void {
  if (!isLoopbackAddress(host))
    environment.printError(
      `--host ${host}: whoever reaches this address sends requests to the targets, and their tokens pass it unencrypted.`,
    );
  readyFile.write(url);
  if (isJson) {
    environment.print(JSON.stringify({ event: "ready", url, ...targets, out: out.name, inspector }));
    return;
  }
  if (isQuiet) return;
  const to = [targets.ledger, ...(targets.registry === undefined ? [] : [`${targets.registry} (/registry/)`])];
  environment.print(
    [
      `Understudy records ${url} to ${out.name}`,
      `Requests go to ${to.filter((target) => target !== undefined).join(", ")}.`,
      ...(inspector === undefined ? [] : [`Look at it: ${inspector}/__understudy/${signInQuery(endpoint)}`]),
      "Stop with Ctrl-C.",
    ].join("\n"),
  );
}

/** Says what was recorded, and what was not. */
function tell(
  { out, isJson }: Given,
  { counts, checker }: { readonly counts: RecorderCounts; readonly checker: LiveChecker },
  environment: Environment,
): void {
  const { recorded, cut, withheld, unnamed, dropped } = counts;
  if (isJson) {
    environment.print(
      JSON.stringify({ event: "recorded", out: out.name, ...counts, inconclusive: checker.inconclusive }),
    );
    return;
  }
  const exchanges = (count: number) => `${count} ${count === 1 ? "exchange" : "exchanges"}`;
  const rest = [
    [cut, "without a body that was too long"],
    [withheld, "not recorded: something secret would have stood there"],
    [unnamed, "not recorded: there were more names than are remembered"],
    [dropped, "not recorded: the disk was too slow"],
    [checker.inconclusive, "not checked: they came too fast; understudy check checks the file"],
  ] as const;
  environment.print(`${out.name}: ${exchanges(recorded)} recorded`);
  for (const [count, what] of rest) if (count > 0) environment.print(`  ${exchanges(count)} ${what}`);
}

async function recover(file: NamedFile, options: Options, environment: Environment): Promise<number> {
  const { entries, isWhole, cutBytes } = await recoverRecording(file);
  const kept = `${entries} ${entries === 1 ? "entry" : "entries"}`;
  const torn = cutBytes > 0 ? `; ${cutBytes} bytes of a torn end were cut off` : "";
  if (options.flag("json"))
    environment.print(JSON.stringify({ event: "recovered", file: file.name, entries, isWhole, cutBytes }));
  else if (isWhole) environment.print(`${file.name} is whole: ${kept}, nothing to recover`);
  else environment.print(`${file.name} is closed: ${kept} kept${torn}`);
  return exitCodes.fine;
}
