import type { Exchange } from "../../foundation/http/exchange.ts";
import type { JsonObject } from "../../foundation/json/json.ts";
import { Observations } from "./observations.ts";
import { defaultWorld, readWorld, worldList } from "./read-world.ts";

/** A registry fixture that gives the recorded responses. */
type InferredRegistry =
  | {
      readonly type: "inferred";
      readonly fixture: JsonObject;
      /** Parts of the recording that a fixture cannot express. */
      readonly notExpressible: readonly string[];
      readonly world: string;
      /** The numbers of registry calls in other worlds, which are skipped, by world. */
      readonly otherWorlds: ReadonlyMap<string, number>;
    }
  | { readonly type: "refused"; readonly problem: string };

/** Infers the state of the registry from the transfer-factory lookups of one world. */
export async function inferRegistryFixture(
  exchanges: AsyncIterable<Exchange> | Iterable<Exchange>,
  requestedWorld?: string,
): Promise<InferredRegistry> {
  const { value, world, otherWorlds } = await readWorld(exchanges, {
    world: requestedWorld,
    create: () => new Observations(),
    isRelevant: ({ operation }) => operation.api === "registry",
  });
  if (!value.hasLookup) {
    const where = world === defaultWorld ? "" : ` in the world ${world}`;
    const others = otherWorlds.size === 0 ? "" : `; other worlds have registry calls: ${worldList(otherWorlds)}`;
    return { type: "refused", problem: `has no transfer-factory lookup with status 200${where}${others}` };
  }
  const { registry, notExpressible } = value.initialState("spec");
  return { type: "inferred", fixture: registry, notExpressible, world, otherWorlds };
}
