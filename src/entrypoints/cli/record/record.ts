import { Verdict } from "../../../checker/engine/verdict.ts";
import { isComplete, type Report } from "../../../checker/reports/report.ts";
import { textResponse } from "../../../foundation/http/response.ts";
import { CountedLimits } from "../../../foundation/limits/counted-limits.ts";
import { limits } from "../../../foundation/limits/limits.ts";
import { defaultProfileOf, loadSpec, type ProfileNames } from "../../../foundation/spec/spec.ts";
import type { Redactor } from "../../../recordings/redaction/redactor.ts";
import { Inspection } from "../../../stub/inspection/inspection.ts";
import { RecordedTraffic } from "../../../stub/inspection/recorded-traffic.ts";
import type { Network } from "../../../transport/client/route.ts";
import { type ProxyOptions, type RunningProxy, startProxy } from "../../../transport/proxy/proxy.ts";
import type { TargetUrls } from "../../../transport/proxy/targets.ts";
import { type RunningServer, startServer } from "../../../transport/server/http-server.ts";
import { inspectorFiles } from "../../library/files.ts";
import { isLoopbackAddress, reachableUrl } from "../../library/own-address.ts";
import { steadyNowMs } from "../../library/steady-now-ms.ts";
import type { NamedFile } from "../../programs/files/named-file.ts";
import { checkWritable } from "../../programs/files/write-whole.ts";
import { listening } from "../../programs/listening.ts";
import { levelOf } from "../../programs/releases.ts";
import { checkedBaseUrl } from "../../programs/target/base-url.ts";
import { exitCodes, UserError } from "../../programs/user-error.ts";
import { version } from "../../programs/version.ts";
import { networkOf } from "../flags/client-certificate.ts";
import { fileOf } from "../flags/file-of.ts";
import { numberOf } from "../flags/named-numbers.ts";
import { namedProfile, profileOf } from "../flags/profile-flags.ts";
import { isQuiet } from "../flags/quiet-flag.ts";
import { timeoutMsOf } from "../flags/timeout.ts";
import { wholeNumber } from "../flags/whole-number.ts";
import type { Command, Environment, Options } from "../options.ts";
import { redactorOf, writeNames } from "../redaction/redaction-flags.ts";
import { checkReportFlags, finish } from "../report/finish-report.ts";
import { WatchedClientRules } from "../report/watched-client-rules.ts";
import { type ControlEndpoint, controlEndpointOf, hostOf, signInQuery } from "../server/control-access.ts";
import { openInspector } from "../server/open-inspector.ts";
import { type ReadyFile, readyFileOf } from "../server/ready-file.ts";
import { LiveChecker } from "./live-checker.ts";
import { recordedBodyLimit, recordFlags, recordLimitFlag, timeoutSecondsDefault } from "./record-flags.ts";
import { Recorder, type RecorderCounts } from "./recorder.ts";
import { createRecordingFile, type RecordingFile } from "./recording-file.ts";
import { recoverRecording } from "./recover-recording.ts";

/** Longest time that the last byte of a response waits until its entry is in the file. */
const heldMsMax = 1000;
/** Time for exchanges in flight when the recording ends. */
const closeGraceMs = 10_000;

export const record: Command = {
  name: "record",
  usage: "record [--ledger URL] [--registry URL] --out FILE [flags]\nrecord --recover FILE",
  flags: recordFlags,
  pairs: [
    { flags: ["open", "control-token", "allow-host"], needs: "inspector" },
    {
      flags: recordFlags.map(({ name }) => name).filter((name) => name !== "recover" && name !== "quiet"),
      without: "recover",
    },
  ],
  examples: [
    "understudy record --ledger http://localhost:7575 --out traffic.har",
    "understudy record --recover traffic.har",
  ],
  run: runRecord,
};

async function runRecord(options: Options, environment: Environment): Promise<number> {
  if (options.positionals.length > 0)
    throw new UserError("record takes no other words than flags: understudy record --ledger URL --out traffic.har");
  const incompleteFile = fileOf("recover", options);
  if (incompleteFile !== undefined) return recover(incompleteFile, options, environment);
  const settings = readSettings(options, environment);
  const level = levelOf({ strict: options.flag("strict") });
  const spec = loadSpec(settings.profile, { hasAdditionalOperations: true });
  const verdict = new Verdict(spec);
  const areAdditionalOperationsChecked = options.flag("all-operations");
  const clientRules = settings.areClientRulesOff ? undefined : new WatchedClientRules(options, environment);
  const clientChecker = clientRules?.check({ spec, order: "by-time", isWhole: false, isOneWorld: false });
  const checker = new LiveChecker(
    { spec, level, areAdditionalOperationsChecked, order: "by-time", isExclusive: false },
    verdict,
    clientChecker,
  );
  const inspected = options.flag("inspector")
    ? new RecordedTraffic(spec, { level, areAdditionalOperationsChecked }, journalLimits, Date.now)
    : undefined;
  const { counts, problem } = await recordUntilStopped({ checker, inspected }, settings, environment);
  checker.end();
  printCounts(settings, { counts, checker }, environment);
  const reason = `${settings.profile.ledger} (${namedProfile(options) === undefined ? "the default" : "set by --profile"})`;
  const sources = [...new Set([settings.targets.ledger, settings.targets.registry].flatMap((url) => url ?? []))];
  const about = { sources, profileReason: reason, probing: undefined, baseline: undefined };
  const summary = verdict.summary();
  const responded = summary.exchanges - summary.unsupported - summary.incompleteResponses + counts.cut;
  // The report names the operations without a readable response.
  const isInconclusive = problem === undefined && responded === 0 && summary.notChecked === undefined;
  const why = received(counts) === 0 ? nothingReceived : "no response of the two APIs was received";
  const incomplete = isInconclusive ? { incomplete: [why] } : {};
  const report: Report = { summary, isStrict: level === "spec", ...about, ...incomplete };
  const exitCode = finish(report, options, environment);
  clientRules?.summarize();
  if (problem !== undefined) environment.printError(problem.message);
  // After the report: a disk that is full for the recording may also refuse the names.
  if (settings.names !== undefined) writeNames(settings.names, settings.redactor);
  if (problem !== undefined || counts.dropped + counts.withheld + counts.unnamed > 0) return exitCodes.usage;
  return exitCode === exitCodes.fine && !isComplete(report) ? exitCodes.incomplete : exitCode;
}

const nothingReceived =
  "no request was received. Start record again, and send requests to its address instead of that of the target";

/** Number of exchanges that passed the proxy. */
function received({ recorded, withheld, unnamed, dropped }: RecorderCounts): number {
  return recorded + withheld + unnamed + dropped;
}

/** The values of the flags, validated before any work. */
interface RecordSettings {
  readonly targets: TargetUrls;
  readonly network: Network;
  readonly out: NamedFile;
  readonly isForced: boolean;
  readonly host: string;
  readonly port: number;
  readonly profile: ProfileNames;
  readonly timeoutMs: number;
  readonly bodyBytesMax: number;
  readonly bufferedBytesMax: number;
  readonly readyFile: ReadyFile;
  readonly redactor: Redactor;
  /** The file of pseudonyms and originals. */
  readonly names: NamedFile | undefined;
  readonly isJson: boolean;
  readonly isQuiet: boolean;
  /** The config file. */
  readonly config: string | undefined;
  /** Access to the inspector. */
  readonly endpoint: ControlEndpoint;
  readonly areClientRulesOff: boolean;
  /** Whether the inspector opens in the browser. */
  readonly isOpened: boolean;
}

function readSettings(options: Options, environment: Environment): RecordSettings {
  const targets = { ledger: targetOf("ledger", options), registry: targetOf("registry", options) };
  if (targets.ledger === undefined && targets.registry === undefined)
    throw new UserError("record needs a target: --ledger URL, --registry URL or both.");
  const [out, names] = [fileOf("out", options), fileOf("names", options)];
  if (out === undefined) throw new UserError("record needs an output file: --out x.har");
  if (names !== undefined) checkWritable(names, [out]);
  checkReportFlags(options, [out]);
  return {
    targets,
    network: networkOf(options, environment),
    out,
    isForced: options.flag("force"),
    host: hostOf(options),
    port: wholeNumber(options, "port", { byDefault: 7576, min: 0, max: 65535 }),
    profile: profileOf(options, defaultProfileOf("ledger")),
    timeoutMs: timeoutMsOf(options, timeoutSecondsDefault),
    bodyBytesMax: numberOf(options, recordLimitFlag, recordedBodyLimit),
    bufferedBytesMax: numberOf(options, recordLimitFlag, limits.bufferedBytesMax),
    readyFile: readyFileOf(options, names === undefined ? [out] : [out, names]),
    redactor: redactorOf(options, environment),
    names,
    isJson: options.flag("json"),
    isQuiet: isQuiet(options),
    config: options.config?.file,
    endpoint: controlEndpointOf(options, inspectorHost),
    areClientRulesOff: options.flag("no-client-rules"),
    isOpened: options.flag("open"),
  };
}

function targetOf(name: "ledger" | "registry", options: Options): string | undefined {
  const text = options.text(name);
  return text === undefined ? undefined : checkedBaseUrl(`--${name}`, text);
}

interface RecordingResult {
  readonly counts: RecorderCounts;
  /** The reason why the recording stopped early. */
  readonly problem: UserError | undefined;
}

/** Records until the user stops it or writing fails. Exchanges in flight end, and the file is complete. */
async function recordUntilStopped(
  { checker, inspected }: { readonly checker: LiveChecker; readonly inspected: RecordedTraffic | undefined },
  settings: RecordSettings,
  environment: Environment,
): Promise<RecordingResult> {
  const started = Promise.withResolvers<Recorder>();
  const fault = Promise.withResolvers<never>();
  const proxy = await listen(
    settings,
    (passed) => started.promise.then((recorder) => recorder.take(passed)).catch(fault.reject),
    environment,
  );
  // The file is created after the proxy listens: an earlier recording is replaced only if this one can start.
  const file = await createFile(settings, proxy);
  const recorder = new Recorder({
    redactor: settings.redactor,
    file,
    checker,
    warn: environment.printError,
    onRecorded: (exchange) => {
      inspected?.add(exchange);
      environment.progress(`${file.entries} exchanges, ${checker.failed} failed`);
    },
  });
  let inspector: RunningServer | undefined;
  try {
    if (inspected !== undefined)
      inspector = await serveInspector(inspected, reachableUrl(proxy.url), settings, environment);
    started.resolve(recorder);
    const stopped = environment.stopped();
    announce(settings, { url: reachableUrl(proxy.url), inspector: inspector?.url }, environment);
    if (settings.isOpened) openInspector(inspector?.url, environment);
    await Promise.race([stopped, file.failure, fault.promise]);
  } finally {
    await proxy.close();
    await recorder.idle();
    await file.close();
    await inspector?.close();
    settings.readyFile.remove();
  }
  return { counts: recorder.counts, problem: file.problem };
}

async function createFile({ out, isForced }: RecordSettings, proxy: RunningProxy): Promise<RecordingFile> {
  try {
    return await createRecordingFile(out, { isForced, version: version() });
  } catch (error) {
    await proxy.close();
    throw error;
  }
}

function listen(
  settings: RecordSettings,
  onExchange: ProxyOptions["onExchange"],
  environment: Environment,
): Promise<RunningProxy> {
  const { port } = settings;
  for (const url of [settings.targets.ledger, settings.targets.registry])
    if (url !== undefined && port > 0 && isItself(url, settings))
      throw new UserError(`${url} is the address of this proxy itself. Choose another port with --port N.`);
  return listening("proxy", settings, environment, () =>
    startProxy({ ...settings, heldMsMax, closeGraceMs, nowMs: steadyNowMs, onExchange }),
  );
}

const journalLimits = {
  exchangesMax: limits.journalExchangesMax.byDefault,
  bytesMax: limits.journalBytesMax.byDefault,
};

function isItself(url: string, { host, port }: RecordSettings): boolean {
  const { hostname, port: urlPort, protocol } = new URL(url);
  const isHere =
    hostname === host ||
    (isLoopbackAddress(hostname) && (isLoopbackAddress(host) || host === "0.0.0.0" || host === "::"));
  return isHere && protocol === "http:" && Number(urlPort || 80) === port;
}

/** Loopback only: the traffic is visible to this machine alone. */
const inspectorHost = "127.0.0.1";

/** Serves the inspector on its own port, because every path of the proxy belongs to the targets. */
function serveInspector(
  inspected: RecordedTraffic,
  clientUrl: string,
  { endpoint: { access }, areClientRulesOff }: RecordSettings,
  environment: Environment,
): Promise<RunningServer> {
  const notFound = async () => textResponse(404, "text/plain; charset=UTF-8", "The inspector is at /__understudy/.");
  const counted = new CountedLimits({ bodyBytesMax: limits.bodyBytesMax.min });
  const page = { source: inspected, access, page: inspectorFiles(), limits: counted, areClientRulesOff, clientUrl };
  return startServer({
    handler: new Inspection({ ...page, later: setTimeout, inner: notFound }).handler,
    host: inspectorHost,
    port: 0,
    limits: counted,
    isCorsAllowed: false,
    onFault: (fault) => environment.printError(`fault: ${String(fault)}`),
  });
}

interface Addresses {
  readonly url: string;
  /** URL of the inspector. */
  readonly inspector: string | undefined;
}

function announce(
  { readyFile, targets, out, host, isJson, isQuiet, config, endpoint }: RecordSettings,
  { url, inspector }: Addresses,
  environment: Environment,
): void {
  if (!isLoopbackAddress(host))
    environment.printError(
      `--host ${host}: every machine that reaches this address can send requests to the targets, and tokens are sent unencrypted.`,
    );
  readyFile.write(url);
  if (isJson) {
    environment.print(JSON.stringify({ event: "ready", url, ...targets, out: out.name, inspector, config }));
    return;
  }
  if (isQuiet) return;
  const to = [
    targets.ledger,
    ...(targets.registry === undefined ? [] : [`${targets.registry} (paths below /registry/)`]),
  ];
  environment.print(
    [
      `Recording to ${out.name}. Send requests to ${url}`,
      `They are forwarded to ${to.filter((target) => target !== undefined).join(" and ")}.`,
      ...(config === undefined ? [] : [`Config: ${config}`]),
      ...(inspector === undefined ? [] : [`Inspector: ${inspector}/__understudy/${signInQuery(endpoint)}`]),
      "Stop with Ctrl-C.",
    ].join("\n"),
  );
}

/** Prints how many exchanges are recorded, and how many are not. */
function printCounts(
  { out, isJson, isQuiet }: RecordSettings,
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
  const exceptions = [
    [cut, "recorded without a body: too long"],
    [withheld, "not recorded: a secret would remain"],
    [unnamed, "not recorded: too many ids to pseudonymize"],
    [dropped, "not recorded: the disk was too slow"],
    [checker.inconclusive, "not checked: too many at once. Check the file with understudy check"],
  ] as const;
  const shown = exceptions.filter(([count]) => count > 0);
  if (isQuiet && shown.length === 0) return;
  environment.print(`${out.name}: ${exchanges(recorded)} recorded`);
  for (const [count, what] of shown) environment.print(`  ${exchanges(count)} ${what}`);
}

async function recover(file: NamedFile, options: Options, environment: Environment): Promise<number> {
  const { entries, isComplete, removedBytes } = await recoverRecording(file);
  const kept = `${entries} ${entries === 1 ? "entry" : "entries"}`;
  const removed = removedBytes > 0 ? `; ${removedBytes} bytes of an incomplete entry removed` : "";
  if (options.flag("json"))
    environment.print(JSON.stringify({ event: "recovered", file: file.name, entries, isComplete, removedBytes }));
  else if (isQuiet(options)) return exitCodes.fine;
  else if (isComplete) environment.print(`${file.name} is complete: ${kept}, nothing to repair`);
  else environment.print(`${file.name} is repaired: ${kept} kept${removed}`);
  return exitCodes.fine;
}
