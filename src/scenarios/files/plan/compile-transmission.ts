import type { HeaderList } from "../../../foundation/http/header.ts";
import type { JsonObject } from "../../../foundation/json/json.ts";
import { objectOf, optionalTextOf, textOf } from "../../../foundation/json/members.ts";
import { durationMs } from "../../../foundation/text/duration.ts";
import type { NetworkFaults } from "../../../simulator/world/plan.ts";
import { number } from "../_reader.ts";
import type { ProblemText } from "../problem.ts";

/** Fields that the server or the plan decides by other means, by name in lower case. */
const reserved: Readonly<Record<string, string>> = {
  connection: "The server decides it; slowClose and resetAfter end a connection.",
  "content-length": "The server counts it; truncate sends a part of the body.",
  "content-type": "Use contentType.",
  "keep-alive": "The server decides it.",
  "proxy-connection": "The server decides it.",
  te: "The server decides it.",
  trailer: "The server decides it.",
  "transfer-encoding": "The server decides it.",
  upgrade: "The server decides it.",
};

const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
const headerValue = /^(?:[!-~](?:[\t -~]{0,998}[!-~])?)?$/;

/** The header fields of a planned response; undefined if it has none. */
export function headersOf({ headers }: JsonObject): HeaderList | undefined {
  if (headers === undefined) return undefined;
  return Object.entries(objectOf(headers)).map(([name, value]) => [name, String(value)] as const);
}

/** Why the network faults and headers do not fit to each other or to the response; undefined if they do. */
export function transmissionProblem(given: JsonObject): ProblemText | undefined {
  const silent = ["reset", "timeout"].find((member) => given[member] !== undefined);
  const sent = [...networkMembers, "headers"].find((member) => given[member] !== undefined);
  if (silent !== undefined && sent !== undefined)
    return {
      problem: `has ${sent} and ${silent}, which sends no response`,
      advice: sent === "headers" ? "Remove one of the two." : "Use resetAfter to send a part of a response.",
    };
  return networkProblem(given) ?? headersProblem(headersOf(given) ?? []);
}

function headersProblem(headers: HeaderList): ProblemText | undefined {
  const names = headers.map(([name]) => name.toLowerCase());
  const twice = headers.find(([name], index) => names.indexOf(name.toLowerCase()) !== index);
  if (twice !== undefined)
    return { problem: `has the header ${twice[0]} twice`, advice: "The case of a name does not matter. Remove one." };
  return headers.map(([name, value]) => headerProblem(name, value)).find((problem) => problem !== undefined);
}

function headerProblem(name: string, value: string): ProblemText | undefined {
  if (!headerName.test(name))
    return {
      problem: `has the header ${JSON.stringify(name)}, which is not a valid name`,
      advice: "A name has letters, digits and hyphens, at most 100.",
    };
  const advice = reserved[name.toLowerCase()];
  if (advice !== undefined) return { problem: `sets the header ${name}`, advice };
  if (/^understudy-/i.test(name))
    return { problem: `sets the header ${name}`, advice: "Headers of Understudy cannot be planned." };
  if (headerValue.test(value)) return undefined;
  return {
    problem: `has a value of the header ${name} that cannot be sent`,
    advice: "A value is at most 1000 characters of ASCII, without line breaks and without blanks at its ends.",
  };
}

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

function networkProblem(given: JsonObject): ProblemText | undefined {
  const ends = ["truncate", "resetAfter", "slowClose"].filter((member) => given[member] !== undefined);
  if (ends.length > 1)
    return { problem: `ends its connection in several ways: ${ends.join(", ")}`, advice: "Use one of them." };
  const { bytes, variation } = objectOf(given["slices"]);
  if (number(variation, 0) >= number(bytes, 1) && variation !== undefined)
    return { problem: "has slices whose variation is not smaller than their bytes", advice: "Lower variation." };
  return undefined;
}
