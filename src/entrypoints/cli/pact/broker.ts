import { Buffer } from "node:buffer";
import { isJsonObject, type JsonObject, jsonOf } from "../../../foundation/json/json.ts";
import { sendOverHttp, Unreachable } from "../../../transport/client/send-over-http.ts";
import { type BrokerPact, BrokerProblem, PactBroker, type PactSelection } from "../../pact/pact-broker.ts";
import { checkedBaseUrl } from "../../programs/target/base-url.ts";
import { unreachableError } from "../../programs/target/unreachable-error.ts";
import { UserError } from "../../programs/user-error.ts";
import { version } from "../../programs/version.ts";
import { networkOf } from "../flags/client-certificate.ts";
import { booleanFlag, type Environment, type Flag, listFlag, type Options, rare, textFlag } from "../options.ts";

/** Flags of a check of Pacts from a broker. */
export const brokerFlags: readonly Flag[] = [
  textFlag("broker", "URL", "read the Pacts from this Pact Broker"),
  textFlag("provider", "NAME", "name of the provider at the broker (default canton)"),
  listFlag(
    "selector",
    "JSON",
    'consumer version selector, such as {"mainBranch":true} (default: the latest Pact of each consumer)',
  ),
  textFlag("publish", "VERSION", "publish the results as those of this provider version"),
  textFlag("branch", "NAME", "branch of the provider version, with --publish or --enable-pending"),
  booleanFlag("enable-pending", "do not fail if a Pact that is pending for --branch contradicts the spec"),
  rare(textFlag("include-wip-pacts-since", "DATE", "add Pacts of feature branches since then, with --enable-pending")),
  rare(textFlag("build-url", "URL", "page of the build, with --publish")),
];

/** The Pacts of `--broker`, and what publishes their results. */
interface BrokerSession {
  readonly pacts: readonly BrokerPact[];
  /** Publishes the result of a Pact, if `--publish` is set. Resolves to the version that it was published for. */
  publish(url: string, isSuccess: boolean): Promise<string | undefined>;
}

/** Undefined without `--broker`. Throws a UserError for a problem with the broker. */
export async function openBroker(options: Options, environment: Environment): Promise<BrokerSession | undefined> {
  // Files on the command line take precedence over a broker in the environment.
  const isUnused = options.positionals.length > 0 && !options.isWord("broker");
  const baseUrl = isUnused ? undefined : options.text("broker");
  if (baseUrl === undefined) {
    const other = brokerFlags.find(({ name }) => options.isWord(name));
    if (other !== undefined) throw new UserError(`--${other.name} applies to Pacts from a broker. Add --broker URL.`);
    return undefined;
  }
  const providerVersion = options.text("publish");
  const base = checkedBaseUrl("--broker", baseUrl);
  const broker = new PactBroker({
    baseUrl: base,
    send: sendOverHttp(new URL(base).origin, networkOf(options, environment)),
    authorization: authorizationOf(environment),
  });
  const selection = selectionOf(options);
  const pacts = await withUserErrors(base, () => broker.pactsOf(options.text("provider") ?? "canton", selection));
  return {
    pacts,
    publish: async (url, isSuccess) => {
      const pact = pacts.find((candidate) => candidate.url === url);
      if (providerVersion === undefined || pact === undefined) return undefined;
      const verifiedBy = { implementation: "canton-understudy", version: version() };
      const [branch, buildUrl] = [options.text("branch"), options.text("build-url")];
      await withUserErrors(base, () =>
        broker.publish(pact, { isSuccess, providerVersion, branch, buildUrl, verifiedBy }),
      );
      return providerVersion;
    },
  };
}

/** Credentials by the names that Pact's own tools use. */
function authorizationOf({ variables }: Environment): string | undefined {
  const token = variables["PACT_BROKER_TOKEN"];
  if (token !== undefined && token !== "") return `Bearer ${token}`;
  const [user, password] = [variables["PACT_BROKER_USERNAME"], variables["PACT_BROKER_PASSWORD"]];
  if (user === undefined || password === undefined) return undefined;
  return `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
}

function selectionOf(options: Options): PactSelection {
  const [branch, wipSince] = [options.text("branch"), options.text("include-wip-pacts-since")];
  const hasPending = options.flag("enable-pending");
  if (options.isWord("branch") && options.text("publish") === undefined && !hasPending)
    throw new UserError(
      "--branch has no effect without --publish or --enable-pending. Add one of them, or remove --branch.",
    );
  if (hasPending && branch === undefined)
    throw new UserError("--enable-pending needs --branch NAME: a Pact is pending for a branch of the provider.");
  if (wipSince !== undefined && !/^\d{4}-\d{2}-\d{2}/.test(wipSince))
    throw new UserError(`--include-wip-pacts-since ${wipSince}: not a date. Use 2026-01-31, for example.`);
  return { selectors: selectorsOf(options), branch: hasPending ? branch : undefined, hasPending, wipSince };
}

function selectorsOf(options: Options): readonly JsonObject[] {
  return options.texts("selector").map((text) => {
    const selector = jsonOf(text);
    if (isJsonObject(selector)) return selector;
    throw new UserError(`--selector ${text}: not a JSON object. Use '{"mainBranch":true}', for example.`);
  });
}

async function withUserErrors<Value>(base: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof BrokerProblem) throw new UserError(error.message);
    if (error instanceof Unreachable) throw unreachableError(base, error, "the broker");
    throw error;
  }
}
