import type { FuzzKind, FuzzOptions, FuzzTarget } from "./_fuzz-kind.ts";

type Load = () => Promise<{ readonly KIND: FuzzKind }>;

/** The kinds of input by name. Each is loaded only by the process that uses it. */
const kinds: Readonly<Record<string, Load>> = {
  http: () => import("./http.ts"),
  json: () => import("./json.ts"),
  fixture: () => import("./fixture.ts"),
  scenario: () => import("./scenario.ts"),
  criterion: () => import("./criterion.ts"),
  har: () => import("./har.ts"),
  infer: () => import("./infer.ts"),
  pact: () => import("./pact.ts"),
  protobuf: () => import("./protobuf.ts"),
  archive: () => import("./archive.ts"),
  dar: () => import("./dar.ts"),
  control: () => import("./control.ts"),
  given: () => import("./given.ts"),
};

/** Divisor of the number of inputs for kinds that take much longer than the others. */
const shares: Readonly<Record<string, number>> = { infer: 20, criterion: 20 };

/** The number of inputs of a kind. */
export function inputsOf(kind: string, inputs: number): number {
  return Math.ceil(inputs / (shares[kind] ?? 1));
}

export const kindNames: readonly string[] = Object.keys(kinds);

/** Starts the target of a kind. Throws RangeError for an unknown kind. */
export async function targetOfKind(name: string, options?: FuzzOptions): Promise<FuzzTarget> {
  const load = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
  if (load === undefined) throw new RangeError(`unknown kind ${name}`);
  const { KIND } = await load();
  return KIND.open(options);
}
