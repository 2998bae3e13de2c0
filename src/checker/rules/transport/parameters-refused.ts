import type { CheckedExchange, ExchangeRule, Finding } from "../rule.ts";
import { badRequest } from "../sample-bodies.ts";
import { users } from "../sample-users.ts";

export const parametersRefused: ExchangeRule = {
  type: "exchange",
  id: "parameters-refused",
  section: "4.2",
  severity: "error",
  summary: "A query parameter that is not of its documented type is rejected.",
  appliesTo: ({ operation, status, exchange }) =>
    status > 0 && operation.parameters.some(isIntegerInQuery) && exchange.request.target.includes("?"),
  check: (checked) => (checked.status >= 300 ? [] : wrongParameters(checked)),
  examples: {
    kept: [
      { name: "an error", ...users, target: "/v2/users?pageSize=x", ...badRequest },
      { name: "a number", ...users, target: "/v2/users?pageSize=5" },
    ],
    broken: [
      { name: "a text instead of a number", ...users, target: "/v2/users?pageSize=x" },
      { name: "a number above the int32 range", ...users, target: "/v2/users?pageSize=3000000000" },
    ],
  },
};

function isIntegerInQuery({ in: place, schema }: CheckedExchange["operation"]["parameters"][number]): boolean {
  return place === "query" && schema["type"] === "integer";
}

function wrongParameters({ operation, query, status }: CheckedExchange): readonly Finding[] {
  return operation.parameters.filter(isIntegerInQuery).flatMap(({ name, schema }) => {
    // It is undefined which value of a repeated parameter counts.
    const [text = "", second] = query.getAll(name);
    if (text === "" || second !== undefined || isInteger(text, schema["format"] === "int32" ? 31 : 63)) return [];
    const expected = `an error, since ${name} is not an integer of its format`;
    return [{ expected, actual: `${status} for ${text}`, pointer: "" }];
  });
}

function isInteger(text: string, bits: number): boolean {
  if (!/^[+-]?\d{1,30}$/.test(text)) return false;
  const value = BigInt(text.replace("+", ""));
  const bound = 1n << BigInt(bits);
  return value >= -bound && value < bound;
}
