import type { Json } from "../../../foundation/json/json.ts";
import { objectOf, textsOf } from "../../../foundation/json/members.ts";
import { formatProblem } from "../../../scenarios/files/problem.ts";
import { besideConfig, type Config, readConfig, secretOf } from "../../config/read-config.ts";
import { filesFrom } from "../../library/files.ts";
import { UserError } from "../../programs/user-error.ts";
import type { ConfiguredFlags, Environment, Flag } from "../options.ts";

/** Flags for a single run, which a config file does not have. */
const forOneRun: ReadonlySet<string> = new Set([
  ...["config", "help", "list-probes", "recover", "migrate-to", "update-baseline", "shard", "second-opinion"],
]);

/** Whether a config file can set a flag. The flags that describe a target are members of `targets`. */
export function isConfigurable({ name, group = "" }: Flag): boolean {
  return name === "target" || !(forOneRun.has(name) || ["Target", "Ids of the target"].includes(group));
}

/** Whether the value of a flag is a secret: a config file can name an environment variable for it. */
export function isSecretFlag({ value }: Flag): boolean {
  return value === "SECRET" || value === "TOKEN";
}

/** The name of a flag in a config file: `readyFile` for `--ready-file`. `limits` is an object with a member for each limit. */
export function memberOfFlag(name: string): string {
  return name === "limit" ? "limits" : name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** Reads the config file of a command: the named one, or that of the working folder. Undefined without any. */
export function readConfiguredFlags(
  command: { readonly name: string; readonly flags: readonly Flag[] },
  name: string | undefined,
  { folder, variables }: Pick<Environment, "folder" | "variables">,
): ConfiguredFlags | undefined {
  const result = readConfig({ name, folder, variables, files: filesFrom(folder) });
  if (result?.type === "invalid") throw new UserError(result.problems.map(formatProblem).join("\n"));
  return result === undefined ? undefined : configuredFlags(command, result.config);
}

function configuredFlags(
  { name: command, flags }: { readonly name: string; readonly flags: readonly Flag[] },
  { source, variables }: Config,
): ConfiguredFlags {
  const root = objectOf(source.value);
  const targets = objectOf(root["targets"]);
  const pathTo = (flag: string) => [command, memberOfFlag(flag)];
  const placeOf = (flag: string) => `${pathTo(flag).join(".")} in ${source.name}:${source.placeOf(pathTo(flag)).line}`;
  return {
    file: source.name,
    value: (name) => {
      const given = pathTo(name).reduce<Json | undefined>((value, member) => objectOf(value)[member], root);
      if (given === undefined || typeof given === "boolean") return given;
      if (name === "limit") return Object.entries(objectOf(given)).map(([limit, value]) => `${limit}=${String(value)}`);
      const flag = flags.find((candidate) => candidate.name === name);
      if (flag !== undefined && isSecretFlag(flag))
        return secretOf(given, variables) ?? missingSecret(placeOf(name), given);
      const texts = (Array.isArray(given) ? textsOf(given) : [String(given)]).map((text) =>
        isFile(flag) && !(name === "target" && Object.hasOwn(targets, text)) ? besideConfig(source, text) : text,
      );
      return flag?.type === "list" ? texts : texts.join(",");
    },
    placeOf,
    targets: Object.keys(targets),
    target: (name) =>
      Object.hasOwn(targets, name)
        ? {
            name: source.name,
            part: `targets.${name}`,
            value: targets[name] ?? {},
            placeOf: (path, part) => source.placeOf(["targets", name, ...path], part),
          }
        : undefined,
  };
}

/** Whether a value is a path; the scenario of `serve` is not a flag. */
function isFile(flag: Flag | undefined): boolean {
  return flag === undefined || /FILE|FOLDER/.test(flag.value ?? "");
}

function missingSecret(place: string, given: Json): never {
  const name = String(objectOf(given)["env"]);
  throw new UserError(`${place} is the environment variable ${name}, which is not set.`);
}
