import type { HeaderList } from "../../foundation/http/header.ts";
import type { JsonObject } from "../../foundation/json/json.ts";
import { objectOf } from "../../foundation/json/members.ts";

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

/** Why a planned response cannot have its headers; undefined if it can. */
export function headersProblem(given: JsonObject): { readonly problem: string; readonly advice: string } | undefined {
  const headers = headersOf(given);
  if (headers === undefined) return undefined;
  const silent = ["reset", "timeout"].find((member) => given[member] !== undefined);
  if (silent !== undefined)
    return { problem: `has headers and ${silent}, which sends no response`, advice: "Remove one of the two." };
  const names = headers.map(([name]) => name.toLowerCase());
  const twice = headers.find(([name], index) => names.indexOf(name.toLowerCase()) !== index);
  if (twice !== undefined)
    return { problem: `has the header ${twice[0]} twice`, advice: "The case of a name does not matter. Remove one." };
  const problems = headers.map(([name, value]) => headerProblem(name, value));
  return problems.find((problem) => problem !== undefined);
}

function headerProblem(name: string, value: string): { readonly problem: string; readonly advice: string } | undefined {
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
