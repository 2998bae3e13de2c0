import type { FuzzKind, FuzzTarget } from "./_fuzz-kind.ts";

type Load = () => Promise<{ readonly KIND: FuzzKind }>;

/** The kinds of input by name; each is loaded only by the process that throws it. */
const kinds: Readonly<Record<string, Load>> = {
  http: () => import("./http.ts"),
  json: () => import("./json.ts"),
  fixture: () => import("./fixture.ts"),
  scenario: () => import("./scenario.ts"),
  har: () => import("./har.ts"),
  infer: () => import("./infer.ts"),
  pact: () => import("./pact.ts"),
  protobuf: () => import("./protobuf.ts"),
  control: () => import("./control.ts"),
  given: () => import("./given.ts"),
};

/** Of a kind that takes far longer than the others, one in so many inputs is thrown. */
const shares: Readonly<Record<string, number>> = { infer: 20 };

/** How many of these inputs are thrown of a kind. */
export function inputsOf(kind: string, inputs: number): number {
  return Math.ceil(inputs / (shares[kind] ?? 1));
}

export const kindNames: readonly string[] = Object.keys(kinds);

/** Makes ready what the inputs of a kind are given to. Throws RangeError for a kind that there is not. */
export async function targetOfKind(name: string): Promise<FuzzTarget> {
  const load = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
  if (load === undefined) throw new RangeError(`there is no kind ${name}`);
  const { KIND } = await load();
  return KIND.open();
}
