import type { WorldState } from "../../../simulator/world/world-state.ts";
import { packagedFile } from "../../library/files.ts";
import type { LocalnetAddress } from "../../library/localnet.ts";
import { appProvider, localnetAudience, localnetScenario, operatorUser } from "../../library/localnet-names.ts";
import { partiesWithTokens } from "../../library/test-parties.ts";
import { UserError } from "../../programs/user-error.ts";
import { secretDefault } from "../flags/token-secret.ts";
import { booleanFlag, type Flag, type Options } from "../options.ts";

export const localnetFlag: Flag = {
  ...booleanFlag(
    "localnet",
    "play a LocalNet: its ports, users, parties and tokens (with --port: all of it at one port)",
  ),
  group: "World",
};

/** Values of flags that a LocalNet needs; those that are given take precedence. */
const defaults: Readonly<Record<string, string>> = {
  audience: localnetAudience,
  auth: "jwt",
  clock: "real",
  start: "now",
};

/** The options with the defaults of `--localnet`, which also has an authorization server and verifies signatures. */
export function withLocalnet(options: Options): Options {
  if (!options.flag("localnet")) return options;
  const isOn = (name: string) =>
    (name === "oauth" && !options.isSet("jwks")) || (name === "verify-signatures" && !options.isWord(name));
  return {
    ...options,
    text: (name) => options.text(name) ?? (name === "scenario" ? packagedFile(localnetScenario) : defaults[name]),
    flag: (name) => isOn(name) || options.flag(name),
  };
}

/** Whether the servers of a LocalNet open its ports; `--port` opens one port alone. */
export function hasLocalnetPorts(options: Options): boolean {
  return options.flag("localnet") && !options.isSet("port");
}

/** Throws a UserError for a scenario without the second participant of a LocalNet. */
export function checkLocalnet(options: Options, { participants }: Pick<WorldState, "participants">): void {
  if (!options.flag("localnet") || participants.has(appProvider)) return;
  throw new UserError(
    `--localnet: the scenario has no participant ${appProvider}. Add it under given.participants, as ${localnetScenario} of the package has it.`,
  );
}

/** What the ready message says of a LocalNet. */
export function localnetLines(addresses: readonly LocalnetAddress[], state: WorldState): readonly string[] {
  const urls = Math.max(...addresses.map(({ url }) => url.length));
  const parties = partiesWithTokens(state).flatMap(({ party, instrument, amount, privateKey }) => [
    `  ${party}  ${amount} ${instrument}`,
    ...(privateKey === undefined ? [] : [`    private key ${privateKey}`]),
  ]);
  return [
    `Tokens: HS256 with the secret "${secretDefault}", audience ${localnetAudience}, user ${operatorUser}; with or without exp.`,
    "",
    ...addresses.map(({ url, serves }) => `  ${url.padEnd(urls)}  ${serves}`),
    "",
    "Parties with tokens; the keys are for tests, everyone knows them:",
    ...parties,
  ];
}
