import { indexesOfRepeats } from "../_repeats.ts";
import { listAt } from "../members.ts";
import type { CheckedExchange, ExchangeRule, Finding } from "../rule.ts";
import { actAs, grant, repeatedGrant } from "../sample-users.ts";
import { rightKey } from "./_rights.ts";

export const grantedWithinRequested: ExchangeRule = {
  type: "exchange",
  id: "granted-within-requested",
  section: "4.2",
  severity: "error",
  summary: "The newly granted rights are among the requested rights, each once.",
  operations: [grant.operationId],
  appliesTo: ({ status, requestJson }) => status === 200 && requestJson !== undefined,
  check: ({ requestJson, responseJson }) => strayRights(requestJson, responseJson),
  examples: {
    kept: [
      { ...grant, name: "the requested right" },
      { ...repeatedGrant, name: "no newly granted right" },
    ],
    broken: [
      {
        ...grant,
        name: "a right for another party",
        body: JSON.stringify({ newlyGrantedRights: [actAs("bob::1220ab")] }),
      },
      { ...grant, name: "a right without a kind", body: '{"newlyGrantedRights":[{}]}' },
      { ...grant, name: "a right twice", body: JSON.stringify({ newlyGrantedRights: [actAs(), actAs()] }) },
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
    // A requested right of unknown kind may be this right.
    requested.has(right) || requested.has(undefined)
      ? []
      : [{ expected: "a requested right", actual: right ?? "no kind", pointer: place(index), keyword: "requested" }],
  );
  const again = indexesOfRepeats(granted).map((index) => ({
    expected: "each right once",
    actual: granted[index] ?? "",
    pointer: place(index),
    keyword: "uniqueItems",
  }));
  return [...stray, ...again];
}
