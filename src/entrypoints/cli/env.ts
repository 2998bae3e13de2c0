import { shellWord } from "../../checker/engine/curl-line.ts";
import { packagedFile } from "../library/files.ts";
import { addressesAt, localnetPorts } from "../library/localnet.ts";
import { appProvider, localnetAudience, localnetScenario, operatorUser } from "../library/localnet-names.ts";
import { loadScenarioFile } from "../programs/files/scenario-file.ts";
import { oneOf } from "../programs/one-of.ts";
import { exitCodes, UserError } from "../programs/user-error.ts";
import { secretDefault } from "./flags/token-secret.ts";
import { type Command, choiceFlag, type Environment, type Options } from "./options.ts";

const formats = ["sh", "github", "json"] as const;

export const env: Command = {
  name: "env",
  usage: "env [URL] [flags]",
  flags: [
    choiceFlag("format", "FORMAT", formats, "sh (default; export lines), github (lines for $GITHUB_ENV) or json"),
  ],
  examples: ["understudy env > localnet.sh", 'understudy env --format github >> "$GITHUB_ENV"'],
  run: runEnv,
};

async function runEnv(options: Options, environment: Environment): Promise<number> {
  const format = oneOf("--format", options.text("format") ?? (options.flag("json") ? "json" : "sh"), formats);
  const variables = Object.entries(variablesOf(basesOf(options), operatorParty(environment)));
  environment.print(
    format === "json"
      ? JSON.stringify(Object.fromEntries(variables))
      : variables
          .map(([name, value]) => (format === "github" ? `${name}=${value}` : `export ${name}=${shellWord(value)}`))
          .join("\n"),
  );
  return exitCodes.fine;
}

/** The base URLs of a LocalNet: those of its ports, or those of the stub at the URL. */
interface Bases {
  readonly user: string;
  readonly provider: string;
  readonly providerValidator: string;
}

function basesOf({ positionals: [text, ...others] }: Options): Bases {
  if (others.length > 0) throw new UserError("env takes one URL: the address that serve --localnet --port prints.");
  if (text === undefined) return { user: at(2975), provider: at(3975), providerValidator: at(3903) };
  if (!URL.canParse(text) || !/^https?:/.test(text))
    throw new UserError(`env ${text}: not a URL. Write http://127.0.0.1:7575, for example.`);
  const [, base] = /^(.*?)\/(?:api\/|v2\/|registry\/|w\/)/.exec(`${text}/`) ?? [];
  if (base !== undefined) throw new UserError(`env ${text} ends with a path of the API. Write the base URL, ${base}.`);
  const [user, provider] = addressesAt(text.replace(/\/+$/, "")).map(({ url }) => url);
  if (user === undefined || provider === undefined) throw new Error("invariant: a LocalNet has two participants");
  return { user, provider, providerValidator: provider };
}

function at(number: number): string {
  if (!localnetPorts.some(({ port }) => port === number))
    throw new Error(`invariant: a LocalNet has the port ${number}`);
  return `http://127.0.0.1:${number}`;
}

/** The party of the operator of app-provider. */
function operatorParty(environment: Environment): string {
  const { participants } = loadScenarioFile(packagedFile(localnetScenario), environment).initial;
  return participants.get(appProvider)?.users.get(operatorUser)?.primaryParty ?? "";
}

/** Variables that tools of LocalNets read: canton-localnet (its slots are A for app-provider and B for app-user), canton-node-sdk and Canton-Dex. */
function variablesOf(bases: Bases, party: string): Readonly<Record<string, string>> {
  const client = { CLIENT_ID: operatorUser, CLIENT_SECRET: secretDefault };
  // The port of a participant has all paths, and the authorization server belongs to none.
  const server = new URL(bases.provider).origin;
  const api = (url: string) => ({ URI: url, ...client });
  return {
    CANTON_LOCALNET_AUDIENCE: localnetAudience,
    CANTON_LOCALNET_PROFILE: "a-validator-1",
    ...prefixed("CANTON_LOCALNET_A_VALIDATOR_1", { JSON_API_URL: bases.provider, ...client }),
    ...prefixed("CANTON_LOCALNET_B_VALIDATOR_1", { JSON_API_URL: bases.user, ...client }),
    CANTON_CURRENT_NETWORK: "localnet",
    CANTON_CURRENT_PROVIDER: "app-provider",
    ...prefixed("CANTON_LOCALNET_APP_PROVIDER_LEDGER_JSON_API", api(bases.provider)),
    ...prefixed("CANTON_LOCALNET_APP_PROVIDER_VALIDATOR_API", api(bases.providerValidator)),
    CANTON_LOCALNET_APP_PROVIDER_AUTH_URL: `${server}/realms/AppProvider/protocol/openid-connect/token`,
    CANTON_LOCALNET_APP_PROVIDER_PARTY_ID: party,
    CANTON_LOCALNET_APP_PROVIDER_USER_ID: operatorUser,
    CANTON_LEDGER_URL: bases.user,
  };
}

function prefixed(prefix: string, values: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}_${name}`, value]));
}
