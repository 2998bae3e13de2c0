import type { JsonObject } from "../../foundation/json/json.ts";
import { objectOf, optionalTextOf, textOf } from "../../foundation/json/members.ts";
import { durationMs } from "../../foundation/text/duration.ts";
import type { NetworkFaults } from "../../simulator/world/plan.ts";
import { number } from "./_reader.ts";

/** The members of a planned response that are network faults, besides `delay`. */
export const networkMembers: readonly string[] = ["bandwidth", "slices", "resetAfter", "slowClose"];

/** The network faults of a planned response; undefined if it has none. */
export function networkFaultsOf(given: JsonObject): NetworkFaults | undefined {
  if (networkMembers.every((member) => given[member] === undefined)) return undefined;
  const slowClose = optionalTextOf(given["slowClose"]);
  const { bandwidth, resetAfter } = given;
  return {
    bytesPerSecond: bandwidth === undefined ? undefined : number(bandwidth, 1),
    slices: given["slices"] === undefined ? undefined : slicesOf(objectOf(given["slices"])),
    resetAfterBytes: resetAfter === undefined ? undefined : number(resetAfter, 0),
    slowCloseMs: slowClose === undefined ? undefined : (durationMs(slowClose) ?? 0),
  };
}

function slicesOf(slices: JsonObject): NetworkFaults["slices"] {
  return {
    bytes: number(slices["bytes"], 1),
    variation: number(slices["variation"], 0),
    pauseMs: durationMs(textOf(slices["pause"])) ?? 0,
  };
}

/** Why the network faults do not fit to each other or to the response; undefined if they do. */
export function networkProblem(given: JsonObject): { readonly problem: string; readonly advice: string } | undefined {
  const network = networkMembers.filter((member) => given[member] !== undefined);
  const silent = ["reset", "timeout"].find((member) => given[member] !== undefined);
  if (silent !== undefined && network.length > 0)
    return {
      problem: `has ${network[0]} and ${silent}, which sends no response`,
      advice: "Use resetAfter to send a part of a response.",
    };
  const ends = ["truncate", "resetAfter", "slowClose"].filter((member) => given[member] !== undefined);
  if (ends.length > 1)
    return { problem: `ends its connection in several ways: ${ends.join(", ")}`, advice: "Use one of them." };
  const { bytes, variation } = objectOf(given["slices"]);
  if (number(variation, 0) >= number(bytes, 1) && variation !== undefined)
    return { problem: "has slices whose variation is not smaller than their bytes", advice: "Lower variation." };
  return undefined;
}
