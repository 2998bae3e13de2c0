import { clientRules } from "../src/checker/client-rules/index.ts";
import { isConfigurable, isSecretFlag, memberOfFlag } from "../src/entrypoints/cli/config/configured-flags.ts";
import type { Command, Flag, NamedNumber } from "../src/entrypoints/cli/options.ts";
import { limitList } from "../src/foundation/limits/limits.ts";
import { profileNamesOf } from "../src/foundation/spec/spec.ts";
import { authenticationModes } from "../src/stub/pipeline/claims.ts";

interface Schema {
  readonly [keyword: string]: unknown;
}

/** Allowed values of flags. */
const values: Readonly<Record<string, readonly string[]>> = {
  auth: authenticationModes,
  clock: ["frozen", "real", "x60"],
  profile: profileNamesOf("ledger"),
  "registry-profile": profileNamesOf("registry"),
};

/** Members of the section `test` that are those of `serve`. */
const ofStub: readonly string[] = [
  ...["scenario", "profile", "registryProfile", "seed", "auth", "jwtSecret", "adminToken", "start", "clock"],
  ...["verifySignatures", "limits", "specOnly", "cors"],
];

const ofEndOfTest: Schema = {
  onUnexpected: {
    enum: ["fail", "ignore"],
    description:
      "Whether an unexpected request fails the test: an unknown path or method, or one that the scenario does not plan. Default: fail.",
  },
  clientRules: {
    enum: ["errors", "warnings", "ignore"],
    description: "Client findings that fail the test: errors (default), warnings as well, or none.",
  },
  allow: {
    type: "array",
    items: { enum: clientRules.map(({ id }) => id) },
    description: "Ids of client rules that tests may break.",
  },
  allowUnused: {
    type: "boolean",
    description:
      "Whether a test may leave planned responses unused, such as faults that no request met. Default: false.",
  },
};

/** The schema of a config file, from the flags of the commands and the schema of a target. */
export function configSchema(commands: readonly Command[], target: Schema): Schema {
  const sections = commands.map(({ name, flags }) => {
    const isServe = name === "serve";
    const scenario = { type: "string", minLength: 1, description: "The scenario to serve." };
    return [
      name,
      object(`Flags of understudy ${name}.`, { ...(isServe ? { scenario } : {}), ...membersOf(flags, name) }),
    ] as const;
  });
  const serve = Object.fromEntries(sections)["serve"]?.["properties"];
  const { $schema, $id, $defs, title, ...described } = target;
  return {
    $schema,
    $id: "understudy:config",
    title: "Understudy config",
    description:
      "Values for flags of understudy serve, check and record, and for the test frameworks; live targets by name. A flag takes precedence.",
    ...object(undefined, {
      ...Object.fromEntries(sections),
      test: object("Options of the stubs of tests, in vitest, Jest and node:test.", {
        ...picked(serve),
        ...ofEndOfTest,
      }),
      targets: {
        type: "object",
        description: "Live targets by the names that check.target and --target accept.",
        additionalProperties: { $ref: "#/$defs/target" },
      },
    }),
    $defs: { ...schemaOf($defs), target: described },
  };
}

function picked(serve: unknown): Schema {
  const members = Object.fromEntries(Object.entries(schemaOf(serve)).filter(([name]) => ofStub.includes(name)));
  return { ...members, limits: limitsOf(limitList) };
}

function schemaOf(value: unknown): Schema {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function object(description: string | undefined, properties: Schema): Schema {
  return {
    type: "object",
    ...(description === undefined ? {} : { description }),
    additionalProperties: false,
    properties,
  };
}

function membersOf(flags: readonly Flag[], command: string): Schema {
  return Object.fromEntries(
    flags.filter(isConfigurable).map((flag) => [memberOfFlag(flag.name), memberOf(flag, command)]),
  );
}

function limitsOf(numbers: readonly NamedNumber[]): Schema {
  const members = numbers.map(({ name, min, max, quantity, byDefault }) => [
    name,
    { type: "integer", minimum: min, maximum: max, description: `${quantity} (default ${byDefault})` },
  ]);
  return object("Limits by name: bytes, milliseconds or a count.", Object.fromEntries(members));
}

function memberOf(flag: Flag, command: string): Schema {
  const { name, type, value = "", help: description } = flag;
  if (name === "limit") return limitsOf(flag.numbers ?? []);
  if (isSecretFlag(flag)) return { $ref: "#/$defs/token", description };
  if (type === "boolean") return { type: "boolean", description };
  if (name === "target")
    return { type: "string", minLength: 1, description: "target by its name in targets, or a file" };
  if (type === "list" || value.endsWith(",…"))
    return { type: ["string", "array"], minLength: 1, items: { type: "string", minLength: 1 }, description };
  if (value === "N" || value === "SECONDS" || value === "BYTES") return { type: "number", description };
  const allowed = values[name];
  if (allowed === undefined) return { type: "string", minLength: 1, description };
  return { enum: name === "profile" && command === "check" ? ["auto", ...allowed] : allowed, description };
}
