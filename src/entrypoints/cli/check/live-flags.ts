import { inShard, probesNamed, type TargetCheck, targetDefaults } from "../../programs/check/check-target.ts";
import { UserError } from "../../programs/user-error.ts";
import { clientCertificateFlags } from "../flags/client-certificate.ts";
import { numberOf } from "../flags/named-numbers.ts";
import { rulesOptionsOf } from "../flags/profile-flags.ts";
import { timeoutFlag, timeoutMsOf } from "../flags/timeout.ts";
import { tlsOf } from "../flags/tls-files.ts";
import {
  booleanFlag,
  type Environment,
  type Flag,
  inGroup,
  type NamedNumber,
  type Options,
  rare,
  textFlag,
} from "../options.ts";
import { wordsOf } from "../report/gate-flags.ts";
import { limitFlag } from "../server/limit-flags.ts";
import { secondOpinionIn } from "./second-opinion-flag.ts";
import { shardOf } from "./shard-flag.ts";
import { targetFlags } from "./target-flags.ts";

const requestsLimit: NamedNumber = {
  name: "requestsMax",
  byDefault: targetDefaults.requestsMax,
  min: 1,
  max: 999_999_999,
  quantity: "requests of the check",
};
const requestsLimitFlag = limitFlag([requestsLimit]);

/** Flags of a check of a live target. */
export const liveFlags: readonly Flag[] = [
  ...targetFlags,
  ...inGroup("Probes", [
    booleanFlag("writes", "also run probes that create users and parties, and vet packages"),
    rare(booleanFlag("destructive", "also run probes whose changes cannot be undone")),
    textFlag("only", "ID,…", "run these probes only; a prefix of an id is enough"),
    booleanFlag("list-probes", "list the probes; send nothing"),
    { ...timeoutFlag("time limit for a response (default 30)"), isRare: true },
    rare(textFlag("rate", "N", `requests per second at most (default ${targetDefaults.rate})`)),
    rare(textFlag("seed", "TEXT", "part of all ids that probes create (default: random)")),
    rare(booleanFlag("no-drift", "do not compare the OpenAPI description of the ledger with the profile")),
  ]),
  requestsLimitFlag,
  ...clientCertificateFlags,
];

/** Flags that select a live target. */
const targetNames = ["ledger", "registry", "target"] as const;

/** Whether the check is of a live target. Recordings on the command line take precedence over a target in the environment. */
export function isLive(options: Options): boolean {
  const isNamed = targetNames.some((name) => options.isWord(name));
  return isNamed || (options.positionals.length === 0 && targetNames.some((name) => options.isSet(name)));
}

/** The first flag on the command line that only a check of a live target has. */
export function liveWord(options: Options): string | undefined {
  return liveFlags.find(({ name }) => options.isWord(name))?.name;
}

/** The options of a check of a live target that the flags set. */
export function targetCheckOf(options: Options, environment: Environment): TargetCheck {
  return {
    ...rulesOptionsOf(options),
    require: wordsOf("require", options),
    writes: options.flag("writes"),
    destructive: options.flag("destructive"),
    only: wordsOf("only", options),
    rate: rateOf(options),
    requestsMax: numberOf(options, requestsLimitFlag, requestsLimit),
    seed: options.text("seed"),
    timeout: timeoutMsOf(options) / 1000,
    certificate: tlsOf(options),
    noDrift: options.flag("no-drift"),
    shard: shardOf(options, environment),
    onSecondOpinion: secondOpinionIn(options, environment),
  };
}

function rateOf(options: Options): number {
  const text = options.text("rate") ?? String(targetDefaults.rate);
  if (!/^\d{1,9}(?:\.\d{1,6})?$/.test(text) || Number(text) <= 0)
    throw new UserError(
      `--rate ${text}: not a valid number. Use a number above 0 and below 1000000000, such as ${targetDefaults.rate} or 0.5.`,
    );
  return Number(text);
}

/** The probes that the flags choose, as lines of a table or as one JSON value a line. */
export function probeLines(options: Options, environment: Environment): readonly string[] {
  const chosen = inShard(probesNamed(wordsOf("only", options)), shardOf(options, environment));
  if (options.flag("json"))
    return chosen.map(({ id, summary, section, safety, needs, reaches }) =>
      JSON.stringify({ event: "probe", id, summary, section, safety, needs, reaches }),
    );
  const width = Math.max(...chosen.map(({ id }) => id.length));
  return chosen.map(({ id, safety, summary }) => `${id.padEnd(width)}  ${safety.padEnd(11)}  ${summary}`);
}
