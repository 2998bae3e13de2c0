import type { Scenario } from "../../../scenarios/files/load-scenario.ts";
import { OpenPackages } from "../../../simulator/daml/open-packages.ts";
import type { Hosting } from "../../../stub/hosting/hosting.ts";
import { defaultWorldId } from "../../../stub/hosting/world-id.ts";
import type { AuthenticationMode } from "../../../stub/pipeline/claims.ts";
import type { RunningServer } from "../../../transport/server/http-server.ts";
import { addressesAt, type LocalnetServer } from "../../library/localnet.ts";
import { reachableUrl } from "../../library/own-address.ts";
import { isQuiet } from "../flags/quiet-flag.ts";
import type { Environment, Options } from "../options.ts";
import { type ControlEndpoint, endpointHeader, endpointLines, hostOf, signInQuery } from "../server/control-access.ts";
import { openInspector } from "../server/open-inspector.ts";
import type { ReadyFile } from "../server/ready-file.ts";
import { localnetLines } from "./localnet.ts";
import { mintLine } from "./mint-line.ts";
import { tryLines } from "./try-lines.ts";

const tokenAdvice: Readonly<Record<AuthenticationMode, string>> = {
  none: "No token is required.",
  bearer: "Any bearer token is accepted.",
  user: "The bearer token is a user id; the rights of that user apply.",
  jwt: "Tokens are verified.",
};

const placeholders: Readonly<Record<NonNullable<Scenario["placeholder"]>, string>> = {
  ledger: "It is a registry fixture: the stub adds a participant with the parties and synchronizers that it names.",
  registry: "It is a ledger fixture: the registry is empty.",
};

const specLine =
  "Profile spec is the letter of the spec. To play a release, such as that of a LocalNet: --profile canton-3.6.";

/** Content of the ready message. */
interface ReadyMessage {
  readonly file: string;
  /** The fixture that is a placeholder. */
  readonly placeholder: Scenario["placeholder"];
  readonly hosting: Hosting;
  readonly hasInspector: boolean;
  readonly endpoint: ControlEndpoint;
  readonly readyFile: ReadyFile;
}

/** Names of packages that the ready message shows. */
const packagesShown = 3;

/** The packages that were read from archives, by those that have templates. */
function archiveLines({ worlds }: Hosting): readonly string[] {
  const state = worlds.get(defaultWorldId)?.world.state;
  const archived = [...(state?.ledger.packages.values() ?? [])].filter(({ archive }) => archive !== undefined);
  if (state === undefined || archived.length === 0) return [];
  const opened = new OpenPackages();
  const own = archived.flatMap(({ id, name, version }) => {
    const count = opened.get(id, state.ledger)?.templates.length ?? 0;
    return count === 0 ? [] : [`${name} ${version} (${count} ${count === 1 ? "template" : "templates"})`];
  });
  const more = own.length > packagesShown ? [`${own.length - packagesShown} more`] : [];
  const shown = [...own.slice(0, packagesShown), ...more].join(", ");
  return [`${archived.length} packages are loaded from archives${shown === "" ? "" : `: ${shown}`}.`];
}

/** Prints where the stub listens and what to try, writes the ready file, and opens the inspector with `--open`. */
export function announce(
  options: Options,
  environment: Environment,
  server: RunningServer & Partial<LocalnetServer>,
  { file, placeholder, hosting, hasInspector, endpoint, readyFile }: ReadyMessage,
): void {
  const url = reachableUrl(server.url);
  readyFile.write(url);
  if (options.flag("open")) openInspector(hasInspector ? url : undefined, environment);
  if (options.flag("json")) {
    const { profile } = hosting;
    const controlToken = endpoint.isTokenGenerated ? endpoint.token : undefined;
    environment.print(
      JSON.stringify({ event: "ready", url, scenario: file, profile, controlToken, config: options.config?.file }),
    );
    return;
  }
  if (isQuiet(options)) return;
  const { ledger, registry } = hosting.profile;
  const state = options.flag("localnet") ? hosting.worlds.get(defaultWorldId)?.world.state : undefined;
  const lines = tryLines(url, hosting, {
    control: options.flag("no-control") ? undefined : endpointHeader(endpoint),
    mint: mintLine(options, url, hosting),
  });
  environment.print(
    [
      `Understudy serves ${file} at ${url}`,
      ...(placeholder === undefined ? [] : [placeholders[placeholder]]),
      ...archiveLines(hosting),
      `Profile ${ledger}, registry ${registry}. ${tokenAdvice[hosting.auth]}`,
      ...(state === undefined ? [] : localnetLines(server.addresses ?? addressesAt(url), state)),
      ...(ledger === "spec" && options.text("profile") === undefined ? [specLine] : []),
      ...(options.config === undefined ? [] : [`Config: ${options.config.file}`]),
      ...endpointLines(endpoint, hostOf(options)),
      ...(hasInspector ? [`Inspector: ${url}/__understudy/${signInQuery(endpoint)}`] : []),
      "",
      "Try:",
      ...lines.map((line) => `  ${line}`),
      "",
      "Stop with Ctrl-C.",
    ].join("\n"),
  );
}
