import { basename } from "node:path";
import type { Exchange } from "../../../foundation/http/exchange.ts";
import { type InferredSnapshot, inferSnapshot } from "../../../scenarios/inference/infer-snapshot.ts";
import { sendOverHttp, Unreachable } from "../../../transport/client/send-over-http.ts";
import { describeTarget } from "../../programs/check/target.ts";
import { inferredFrom } from "../../programs/files/inferred-from.ts";
import { isResponseOf, unknownApiError } from "../../programs/target/recognize-api.ts";
import { unreachableError } from "../../programs/target/unreachable-error.ts";
import { exitCodes, UserError } from "../../programs/user-error.ts";
import { networkOf } from "../flags/client-certificate.ts";
import { ledgerProfile, namedProfile } from "../flags/profile-flags.ts";
import { timeoutMsOf } from "../flags/timeout.ts";
import type { Environment, Options } from "../options.ts";
import { listed } from "./import-scenario.ts";
import { NodeReads } from "./node-reads.ts";
import { readNode } from "./read-node.ts";
import {
  checkTargets,
  createStub,
  pathsOf,
  type Targets,
  targetsOf,
  withoutSecrets,
  writeTargets,
} from "./scenario-files.ts";

/** Writes a scenario and fixtures with the state of a node. */
export async function importNode(options: Options, environment: Environment): Promise<number> {
  const targets = targetsOf("node", options);
  checkTargets(targets, undefined, options);
  const { exchanges, omitted, url } = await readTarget(options, environment);
  const requested = namedProfile(options);
  const inference = inferSnapshot(withoutSecrets(exchanges), {
    name: targets.name,
    origin: `${url} on ${new Date().toISOString().slice(0, 10)}`,
    paths: pathsOf(targets, options),
    profile: requested === undefined ? undefined : ledgerProfile(requested),
    createStub,
  });
  const inferred = await inferredFrom(url, inference);
  writeTargets(targets, inferred.files, options);
  printSnapshot({ ...inferred, omitted }, targets, options, environment);
  return omitted.length + inferred.different.length === 0 ? exitCodes.fine : exitCodes.findings;
}

interface ReadTarget extends Pick<NodeReads, "exchanges" | "omitted"> {
  readonly url: string;
}

/** Reads the APIs that the flags name. Throws a UserError if one is not reachable, or the ledger refuses all reads. */
async function readTarget(options: Options, environment: Environment): Promise<ReadTarget> {
  const given = { ledger: options.text("ledger"), registry: options.text("registry"), token: options.text("token") };
  const { baseUrls, tokens } = describeTarget({ ...given, root: {}, place: undefined }, environment);
  const network = { timeoutMs: timeoutMsOf(options), ...networkOf(options, environment) };
  const { ledger: url = "", registry } = baseUrls;
  const ledger = sendOverHttp(url, network);
  const other = registry === undefined ? undefined : sendOverHttp(registry, network);
  const sources = {
    send: { ledger, registry: other },
    token: tokens.administrator,
    progress: (text: string) => environment.progress(text),
  };
  try {
    await checkLedger(new NodeReads(sources), url, environment);
    const { exchanges, omitted } = await readNode(sources);
    if (exchanges.filter(({ request }) => request.target.startsWith("/v2/")).length > 1)
      return { exchanges, omitted, url };
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    throw unreachableError(error.baseUrl, error, "the node");
  } finally {
    ledger.close();
    other?.close();
  }
  throw new UserError(`${url} refuses all reads. Give a token of a participant administrator in UNDERSTUDY_TOKEN.`);
}

async function checkLedger(reads: NodeReads, url: string, environment: Environment): Promise<void> {
  const { response }: Exchange = await reads.send({ api: "ledger", method: "GET", path: "/v2/version" });
  if (isResponseOf("ledger", response)) return;
  throw unknownApiError("ledger", url, [{ requested: "GET /v2/version", response }], environment);
}

function printSnapshot(
  snapshot: InferredSnapshot & Pick<NodeReads, "omitted">,
  { scenario, ledger, registry }: Targets,
  options: Options,
  environment: Environment,
): void {
  const { files: _, ...result } = snapshot;
  const { profile, reads, contracts, omitted, notExpressible, different } = result;
  if (options.flag("json")) {
    environment.print(JSON.stringify({ event: "imported", written: [scenario, ledger, registry], ...result }));
    return;
  }
  const missing = omitted.length + different.length;
  const lines = [
    `wrote ${scenario} (${contracts} active contracts, profile ${profile}), ${basename(ledger)}, ${basename(registry)}`,
    ...listed("placeholders, and parts that a fixture cannot express:", notExpressible),
    ...listed("omitted, because the read failed:", omitted),
    ...listed("DIFFERENT from the node in a stub of this world:", different),
    missing === 0
      ? `The stub gives all ${reads} responses as the node did, except ids and times.`
      : `Incomplete: ${omitted.length} reads omitted, ${different.length} differences in ${reads} responses.`,
  ];
  for (const line of lines) environment.print(line);
}
