import type { Clash } from "../../../checker/comparison/correspondence.ts";
import type { Difference } from "../../../checker/comparison/difference.ts";
import { curlLine } from "../../../checker/engine/curl-line.ts";
import { red } from "../../../checker/reports/formats/terminal.ts";
import type { Handler } from "../../../foundation/http/handler.ts";
import { formatJson, type Json } from "../../../foundation/json/json.ts";
import { createMask, type Mask } from "../../../foundation/secrets/mask.ts";
import { maskedLengthMin } from "../../../foundation/secrets/secret-header.ts";
import { defaultProfileOf, loadSpec } from "../../../foundation/spec/spec.ts";
import { printable } from "../../../foundation/text/printable.ts";
import { shortened } from "../../../foundation/text/shortened.ts";
import { namesTogether } from "../../../recordings/replay/node-names.ts";
import { type Node, type SentAgain, sendAgain } from "../../../recordings/replay/send-again.ts";
import { sendOverHttp } from "../../../transport/client/send-over-http.ts";
import { keepHeapSmall } from "../files/keep-heap-small.ts";
import { openRecording, recordingProblemText, skippedText } from "../files/recording.ts";
import { writeBigint } from "../files/write-bigint.ts";
import { checkedBaseUrl } from "../flags/base-url.ts";
import { profileOf } from "../flags/profile-flags.ts";
import { isQuiet } from "../flags/quiet-flag.ts";
import { timeoutFlag, timeoutMsOf } from "../flags/timeout.ts";
import {
  booleanFlag,
  type Environment,
  type Flag,
  inGroup,
  listFlag,
  type Options,
  rare,
  textFlag,
} from "../options.ts";
import { controlTokenFlag, withControlToken } from "../server/control-access.ts";
import { stopRequestOf } from "../stop-request.ts";
import { inFreshWorld, servedScenario, withUnreachableError } from "../target/understudy-target.ts";
import { exitCodes, UserError } from "../user-error.ts";

/** Flags for sending a recording's requests to a target. */
export const againstFlags: readonly Flag[] = inGroup("Send the recording to a target", [
  textFlag("against", "URL", "send the recorded requests to this target, compare the responses"),
  textFlag("registry", "URL", "base URL of the target's registry (default: as --against)"),
  textFlag("and", "URL", "also send the requests to this second target, and compare the two"),
  rare(textFlag("and-registry", "URL", "base URL of the second registry (default: as --and)")),
  textFlag(
    "token",
    "TOKEN",
    "token to send for token-1, the first one of a redacted recording; better in UNDERSTUDY_TOKEN",
  ),
  textFlag("plain-token", "TOKEN", "token in place of all other tokens"),
  listFlag("token-of", "token-N=VARIABLE", "environment variable with the token to send for token-N"),
  listFlag(
    "name",
    "RECORDED=OWN",
    "id to send instead of a recorded id or pseudonym of a party, participant, synchronizer, contract or renamed user",
  ),
  booleanFlag("writes", "also send requests that change the target"),
  controlTokenFlag,
  timeoutFlag("time limit for a response (default 30)"),
]);

type Counts = Record<SentAgain["type"], number>;

/** Sends a recording's requests to one node or two, and reports what differs. */
export async function replayAgainst(file: string, options: Options, environment: Environment): Promise<number> {
  const spec = loadSpec(profileOf(options, defaultProfileOf("ledger")), { hasAdditionalOperations: true });
  const tokens = tokensOf(options, environment);
  const mask = createMask([...tokens.values()].filter((token) => token.length >= maskedLengthMin));
  const targets = await targetsOf(options);
  keepHeapSmall(environment);
  const stop = stopRequestOf(environment);
  const [first, second] = targets.map(({ node }) => node);
  if (first === undefined) throw new UserError("--against needs a URL.");
  const counts: Counts = { same: 0, different: 0, "not-sent": 0, "not-compared": 0, dependent: 0 };
  let [overlapped, problem]: [number, string | undefined] = [0, undefined];
  const sendOptions = {
    spec,
    nodes: second === undefined ? ([first] as const) : ([first, second] as const),
    areWritesAllowed: options.flag("writes"),
    tokenFor: (placeholder: string) => tokens.get(placeholder) ?? tokens.get("others"),
    isStopped: () => stop.isRequested,
  };
  try {
    for await (const item of sendAgain(openRecording(file, environment), sendOptions)) {
      if (item.type === "invalid") {
        problem = recordingProblemText(file, item);
        continue;
      }
      if (item.type === "skipped") {
        problem ??= skippedText(file, item);
        continue;
      }
      counts[item.type] += 1;
      if (item.hasOverlapped) overlapped += 1;
      environment.progress(`${file}: exchange ${item.number}`);
      const target = targets.at(-1);
      printItem(item, { options, environment, mask, hasTwo: second !== undefined, target });
    }
  } finally {
    if (hasExchange(counts)) summarize({ counts, overlapped }, options, environment);
    // Cleanup fails if the target can no longer be reached; its changes then stay.
    await Promise.allSettled(targets.map(({ end }) => end()));
  }
  if (problem !== undefined) throw new UserError(problem);
  if (stop.isRequested) return exitCodes.interrupted;
  if (!hasExchange(counts))
    throw new UserError(`${file} has no exchange to send. Record some requests first: understudy record`);
  if (counts.different > 0) return exitCodes.findings;
  if (counts.same > 0) return exitCodes.fine;
  throw new UserError(
    "Nothing was compared. The lines above say why each request was not sent: give missing tokens (--token, --token-of), and allow changes with --writes.",
  );
}

function hasExchange(counts: Counts): boolean {
  return Object.values(counts).some((count) => count > 0);
}

function tokensOf(options: Options, { variables }: Environment): ReadonlyMap<string, string> {
  const tokens = new Map<string, string>();
  const [administrator, plain] = [options.text("token"), options.text("plain-token")];
  if (administrator !== undefined) tokens.set("token-1", administrator);
  if (plain !== undefined) tokens.set("others", plain);
  for (const value of options.texts("token-of")) {
    const [, placeholder, name] = /^(token-\d+)=(\w+)$/.exec(value) ?? [];
    if (placeholder === undefined || name === undefined)
      throw new UserError(`--token-of ${value}: not of the form token-N=VARIABLE.`);
    const token = variables[name];
    if (token === undefined || token === "")
      throw new UserError(`--token-of ${value}: the environment variable ${name} is not set.`);
    tokens.set(placeholder, token);
  }
  for (const [placeholder, token] of tokens)
    if (!/^[\x21-\x7e]+$/.test(token))
      throw new UserError(
        `The token for ${placeholder} has characters that are not valid in a bearer token: spaces, line breaks or non-ASCII letters.`,
      );
  return tokens;
}

interface Target {
  readonly node: Node;
  readonly baseUrls: { readonly ledger: string; readonly registry: string; readonly control: string };
  end(): Promise<void>;
}

async function targetsOf(options: Options): Promise<readonly Target[]> {
  const names = namesOf(options);
  const targets: Target[] = [];
  for (const [flag, registryFlag] of [
    ["against", "registry"],
    ["and", "and-registry"],
  ] as const) {
    const text = options.text(flag);
    if (text === undefined) continue;
    const base = checkedBaseUrl(flag, text);
    const registry = options.text(registryFlag);
    const registryUrl = registry === undefined ? base : checkedBaseUrl(registryFlag, registry);
    targets.push(await targetAt({ ledger: base, registry: registryUrl, control: base }, names, options));
  }
  return targets;
}

async function targetAt(baseUrls: Target["baseUrls"], given: Node["given"], options: Options): Promise<Target> {
  const timeoutMs = timeoutMsOf(options);
  const connect = (url: string): Handler =>
    withUnreachableError(withControlToken(sendOverHttp(url, timeoutMs), options), url);
  const { ledger, registry } = baseUrls;
  const handler = connect(ledger);
  const hasControl = (await servedScenario(handler)) !== undefined;
  const world = hasControl ? inFreshWorld(handler) : { handler, end: async () => undefined };
  const handlers = {
    ledger: world.handler,
    registry: registry === ledger ? world.handler : connect(registry),
    control: hasControl ? world.handler : undefined,
  };
  return { node: { handlers, given }, baseUrls, end: world.end };
}

function namesOf(options: Options): Node["given"] {
  return options.texts("name").map((value) => {
    const [, recorded = "", own = ""] = /^([^=]+)=(.+)$/s.exec(value) ?? [];
    if (namesTogether(recorded, own) === undefined)
      throw new UserError(
        `--name ${value}: not of the form RECORDED=OWN with two ids of the same kind, such as alice::1220…=bob::1220…, or renamed-user-1=alice.`,
      );
    return [recorded, own];
  });
}

interface OutputContext {
  readonly options: Options;
  readonly environment: Environment;
  readonly mask: Mask;
  readonly hasTwo: boolean;
  readonly target: Target | undefined;
}

function printItem(item: SentAgain, context: OutputContext): void {
  const { options, environment, mask } = context;
  if (isQuiet(options) && item.type !== "different") return;
  if (options.flag("json")) environment.print(mask(JSON.stringify(eventOf(item, context), writeBigint)));
  else for (const line of linesOf(item, context)) environment.print(printable(mask(line)));
}

function eventOf(item: SentAgain, context: OutputContext): object {
  const { number, type, method, target, operationId } = item;
  const heading = { event: "sent", exchange: number, outcome: type, method, target, operation: operationId };
  if (item.type === "dependent") return { ...heading, dependsOn: item.on, names: item.names };
  if (item.type === "not-sent" || item.type === "not-compared") return { ...heading, reason: item.reason };
  if (item.type === "same") return heading;
  const [expected, actual] = labelsOf(context);
  const differences = item.differences.map(({ aspect, pointer, oracle, target: other, clash }) => ({
    aspect,
    pointer,
    [expected]: oracle,
    [actual]: other,
    earlier: clash?.earlier.step,
  }));
  return { ...heading, differences, mayFollowFrom: item.after, curl: curlOf(item, context) };
}

function labelsOf({ hasTwo }: OutputContext): readonly [expected: string, actual: string] {
  return hasTwo ? ["first", "second"] : ["recorded", "actual"];
}

function curlOf(
  { request, api }: Extract<SentAgain, { readonly type: "different" }>,
  { target }: OutputContext,
): string {
  return curlLine({ ...request, target: `${target?.baseUrls[api] ?? ""}${request.target}` });
}

function linesOf(item: SentAgain, context: OutputContext): readonly string[] {
  const { environment } = context;
  const exchange = `${item.number}  ${item.method === "" ? "no request" : `${item.method} ${item.target}`}`;
  switch (item.type) {
    case "same":
      return [];
    case "not-sent":
      return [`not sent      ${exchange}: ${item.reason}`];
    case "not-compared":
      return [`not compared  ${exchange}: ${item.reason}`];
    case "dependent":
      return [
        `skipped       ${exchange}: it needs ${named(item.names)}, which exchange ${item.on.join(", ")} did not return`,
      ];
    default: {
      const mark = environment.isColoured ? red("DIFFERENT") : "DIFFERENT";
      const after =
        item.after.length === 0 ? [] : [`    after     exchange ${item.after.join(", ")}, a possible cause`];
      return [
        `${mark}     ${exchange}${item.operationId === undefined ? "" : ` (${item.operationId})`}`,
        ...groupedByPlace(item.differences).flatMap((group) => differenceLines(group, context)),
        ...after,
        `    repeat    ${curlOf(item, context)}`,
      ];
    }
  }
}

/** Longest value in the output, in characters. */
const shownMax = 200;

/** Groups equal differences in several items of a list; each group is shown once. */
function groupedByPlace(differences: readonly Difference[]): readonly (readonly [first: Difference, more: number])[] {
  const withoutIndex = ({ aspect, pointer }: Difference) => `${aspect} ${pointer.replaceAll(/\/\d+(?=\/|$)/g, "/*")}`;
  return [...Map.groupBy(differences, withoutIndex).values()].flatMap(([first, ...more]) =>
    first === undefined ? [] : [[first, more.length] as const],
  );
}

function differenceLines([difference, more]: readonly [Difference, number], context: OutputContext): readonly string[] {
  const { aspect, pointer, oracle, target, clash } = difference;
  const [expected, actual] = labelsOf(context);
  const where = pointer === "" ? aspect : `${aspect} ${pointer}`;
  const earlier = clash === undefined ? "" : `; ${placeText(clash)}`;
  return [
    `    at        ${where}${more === 0 ? "" : `, and in ${more} more ${more === 1 ? "place" : "places"} like it`}${earlier}`,
    `      ${expected.padEnd(8)} ${shown(oracle)}`,
    `      ${actual.padEnd(8)} ${shown(target)}`,
  ];
}

/** Where the id was before. Step 0 means that a request sent it, not a response. */
function placeText({ earlier: { step, pointer } }: Clash): string {
  return step < 1 ? "a request sent the id before" : `exchange ${step} had it at ${pointer}`;
}

function shown(value: Json | undefined): string {
  return shortened(value === undefined ? "nothing" : formatJson(value), shownMax);
}

function named(names: readonly string[]): string {
  return names.map((name) => shortened(name, 40)).join(", ");
}

function summarize(
  { counts, overlapped }: { readonly counts: Counts; readonly overlapped: number },
  options: Options,
  environment: Environment,
): void {
  if (options.flag("json")) {
    environment.print(JSON.stringify({ event: "summary", ...counts, overlapped }));
    return;
  }
  const { same, different, dependent } = counts;
  if (isQuiet(options) && different === 0 && same > 0) return;
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const parts = [`${same} the same`, `${different} different`];
  if (counts["not-sent"] > 0) parts.push(`${counts["not-sent"]} not sent`);
  if (counts["not-compared"] > 0) parts.push(`${counts["not-compared"]} not compared`);
  environment.print(`${total} ${total === 1 ? "exchange" : "exchanges"}: ${parts.join(", ")}`);
  if (dependent > 0) environment.print(`${dependent} skipped: they depend on ids from responses that are missing`);
  if (overlapped > 0)
    environment.print(`${overlapped} overlapped in the recording; replay sends one request after another`);
  if (counts["not-sent"] > 0 && !options.flag("writes"))
    environment.print("Use --writes to send requests that can change the target.");
}
