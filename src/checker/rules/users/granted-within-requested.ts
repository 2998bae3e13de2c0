import { indexesOfRepeats } from "../_repeats.ts";
import { listAt } from "../members.ts";
import type { CheckedExchange, ExchangeRule, Finding } from "../rule.ts";
import { rightKey } from "./_rights.ts";

const grant = { operationId: "postV2UsersUser-idRights", target: "/v2/users/a/rights", status: 200 } as const;
const actAs = (party: string) => ({ kind: { CanActAs: { value: { party } } } });
const request = { userId: "a", rights: [actAs("alice::1220ab")] };

export const grantedWithinRequested: ExchangeRule = {
  type: "exchange",
  id: "granted-within-requested",
  section: "4.2",
  severity: "error",
  summary: "The newly granted rights are rights that the request asked for, each once.",
  operations: [grant.operationId],
  appliesTo: ({ operation, status, requestJson }) =>
    operation.operationId === grant.operationId && status === 200 && requestJson !== undefined,
  check: ({ requestJson, responseJson }) => strayRights(requestJson, responseJson),
  examples: {
    kept: [
      {
        ...grant,
        name: "what was asked for",
        requestBody: request,
        body: JSON.stringify({ newlyGrantedRights: request.rights }),
      },
      { ...grant, name: "nothing new", requestBody: request, body: '{"newlyGrantedRights":[]}' },
    ],
    broken: [
      {
        ...grant,
        name: "a right of another party",
        requestBody: request,
        body: JSON.stringify({ newlyGrantedRights: [actAs("bob::1220ab")] }),
      },
      {
        ...grant,
        name: "a right twice",
        requestBody: request,
        body: JSON.stringify({ newlyGrantedRights: [actAs("alice::1220ab"), actAs("alice::1220ab")] }),
      },
    ],
  },
};

function strayRights(
  request: CheckedExchange["requestJson"],
  response: CheckedExchange["responseJson"],
): readonly Finding[] {
  const requested = new Set(listAt(request, "rights").map(rightKey));
  const granted = listAt(response, "newlyGrantedRights").map(rightKey);
  const place = (index: number) => `/newlyGrantedRights/${index}`;
  const stray = granted.flatMap((right, index): readonly Finding[] =>
    // A right whose kind the request does not show may be this one.
    right === undefined || requested.has(right) || requested.has(undefined)
      ? []
      : [{ expected: "a right of the request", actual: right, pointer: place(index), keyword: "requested" }],
  );
  const again = indexesOfRepeats(granted).map((index) => ({
    expected: "each right once",
    actual: granted[index] ?? "",
    pointer: place(index),
    keyword: "uniqueItems",
  }));
  return [...stray, ...again];
}
