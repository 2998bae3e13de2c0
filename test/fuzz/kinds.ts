import type { FuzzKind, FuzzTarget } from "./_fuzz-kind.ts";

type Load = () => Promise<{ readonly KIND: FuzzKind }>;

/** The kinds of input by name; each is loaded only by the process that throws it. */
const kinds: Readonly<Record<string, Load>> = {
  json: () => import("./json.ts"),
  fixture: () => import("./fixture.ts"),
  scenario: () => import("./scenario.ts"),
  har: () => import("./har.ts"),
  infer: () => import("./infer.ts"),
  pact: () => import("./pact.ts"),
};

export const kindNames: readonly string[] = Object.keys(kinds);

/** Makes ready what the inputs of a kind are given to. Throws RangeError for a kind that there is not. */
export async function targetOfKind(name: string): Promise<FuzzTarget> {
  const load = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
  if (load === undefined) throw new RangeError(`there is no kind ${name}`);
  const { KIND } = await load();
  return KIND.open();
}
