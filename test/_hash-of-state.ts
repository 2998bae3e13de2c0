import { createHash } from "node:crypto";
import { Rights } from "../src/simulator/ledger/rights.ts";
import type { WorldState } from "../src/simulator/world/world-state.ts";

/** A hash over the state of a world, except its number of requests. */
export function hashOfState({ ledger, registry }: Pick<WorldState, "ledger" | "registry">): string {
  return createHash("sha256").update(JSON.stringify({ ledger, registry }, plain)).digest("hex");
}

function plain(_name: string, value: unknown): unknown {
  if (typeof value === "bigint") return `${value}n`;
  if (value instanceof Map || value instanceof Rights) return [...value];
  const isTable = typeof value === "object" && value !== null && "nextHigherPair" in value && "entries" in value;
  if (!isTable || typeof value.entries !== "function") return value;
  return [...value.entries()];
}
