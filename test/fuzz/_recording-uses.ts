import { Checker } from "../../src/checker/engine/checker.ts";
import { ClientChecker } from "../../src/checker/engine/client-checker.ts";
import { Verdict } from "../../src/checker/engine/verdict.ts";
import type { Exchange } from "../../src/foundation/http/exchange.ts";
import { formatJson } from "../../src/foundation/json/json.ts";
import { loadSpec, type Spec } from "../../src/foundation/spec/spec.ts";
import { decodeBodies } from "../../src/recordings/har/decode-bodies.ts";
import { harEntry } from "../../src/recordings/har/har-entry.ts";
import { readRecording } from "../../src/recordings/har/read-recording.ts";
import { createRedactor } from "../../src/recordings/redaction/redactor.ts";
import { indexRecording } from "../../src/recordings/replay/index-recording.ts";
import { Replayer } from "../../src/recordings/replay/replayer.ts";

/** Uses the exchanges of a recording; returns the problem that shows, or undefined. */
export type RecordingUse = (exchanges: readonly Exchange[], bytes: Uint8Array) => Promise<string | undefined>;

/** Uses take very different times; one that teaches little is listed once. */
export function recordingUses(): readonly RecordingUse[] {
  const spec = loadSpec({ ledger: "canton-3.5", registry: "splice-0.7" }, { hasAdditionalOperations: true });
  const checker: RecordingUse = (exchanges) => checked(exchanges, spec);
  const replay: RecordingUse = (_, bytes) => replayed(bytes, spec);
  return [...Array(8).fill(checker), ...Array(8).fill(redacted), ...Array(6).fill(replay), decoded];
}

/** Rules may report any finding, and never throw. */
async function checked(exchanges: readonly Exchange[], spec: Spec): Promise<string | undefined> {
  const verdict = new Verdict(spec);
  const options = {
    spec,
    level: "release",
    areAdditionalOperationsChecked: true,
    order: "by-time",
    isExclusive: true,
  } as const;
  const checker = new Checker(options, verdict);
  const clientRules = new ClientChecker({ spec, order: "by-time", isWhole: true, isOneWorld: false });
  for (const exchange of exchanges) {
    checker.add(exchange);
    clientRules.add(exchange);
  }
  checker.end();
  clientRules.cut();
  const { violations } = verdict.summary();
  const fault = violations.find(({ keyword }) => keyword === "internal");
  if (fault !== undefined) return `the rule ${fault.rule} fails itself\n${fault.actual}`;
  const [clientRulesFault] = clientRules.report().faults;
  return clientRulesFault === undefined
    ? undefined
    : `a client rule fails itself: ${formatJson({ ...clientRulesFault })}`;
}

/** Places that hold no secret in practice: the gate finds one there, and the recording is not written. */
const isWhereNoneBelongs = /^\/(?:startedDateTime|request\/method|(?:request|response)\/headers\/\d+\/name)$/;

/** A redacted recording has no secret, and can be read. */
async function redacted(exchanges: readonly Exchange[]): Promise<string | undefined> {
  const redactor = createRedactor();
  for (const exchange of exchanges) {
    const line = formatJson(harEntry(redactor.redact(exchange)));
    const leak = redactor.leaksIn(line).find((found) => !isWhereNoneBelongs.test(found.pointer));
    if (leak !== undefined)
      return `a redacted recording has a ${leak.kind} left\n${formatJson({ ...leak })} in ${line}`;
    for await (const item of readRecording(oneChunk(new TextEncoder().encode(`[${line}]`))))
      if (item.type === "invalid") return `a redacted recording cannot be read\n${item.problem}`;
  }
  return undefined;
}

async function replayed(bytes: Uint8Array, spec: Spec): Promise<string | undefined> {
  const { index } = await indexRecording(readRecording(oneChunk(bytes)), spec);
  const replayer = new Replayer({
    name: "x.har",
    index,
    read: async ({ byte, length }) => bytes.subarray(byte, byte + length),
    spec,
    match: "loose",
    continueWith: undefined,
    wait: undefined,
    onReplayed: () => undefined,
  });
  for await (const item of readRecording(oneChunk(bytes)))
    if (item.type === "exchange") await replayer.handler(item.exchange.request);
  await replayer.neverRequested(10);
  return undefined;
}

async function decoded(exchanges: readonly Exchange[]): Promise<string | undefined> {
  for (const exchange of exchanges) await decodeBodies(exchange);
  return undefined;
}

async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
