import type { JsonObject } from "../../../foundation/json/json.ts";
import { vettingOperations } from "../_vetting.ts";
import { memberAt } from "../members.ts";
import type { CheckedExchange, ExchangeRule } from "../rule.ts";

const vetting = { operationId: "postV2Package-vetting", target: "/v2/package-vetting", status: 200 } as const;
const change = { operation: { Vet: { value: { packages: [{ packageId: "a" }] } } } };
const state = (topologySerial: number) => ({
  packages: [{ packageId: "a" }],
  participantId: "participant1::1220ab",
  synchronizerId: "main::1220ab",
  topologySerial,
});
const expecting = (serial: JsonObject) => ({ changes: [change], expectedTopologySerial: { serial } });
const afterThree = JSON.stringify({ pastVettedPackages: state(3), newVettedPackages: state(3) });

export const expectedSerialKept: ExchangeRule = {
  type: "exchange",
  id: "expected-serial-kept",
  section: "4.2",
  severity: "error",
  summary:
    "Vetting succeeds only if the expected topology serial of the request equals the serial of the last vetting transaction.",
  examplesIn: "canton-3.5",
  operations: [...vettingOperations],
  appliesTo: ({ operation, status, requestJson, responseJson }) =>
    vettingOperations.has(operation.operationId) &&
    status === 200 &&
    expectedSerial(requestJson) !== undefined &&
    memberAt(responseJson, "pastVettedPackages") !== undefined,
  check({ requestJson, responseJson }) {
    const expected = expectedSerial(requestJson);
    const past = memberAt(responseJson, "pastVettedPackages", "topologySerial") ?? "none";
    return String(past) === expected
      ? []
      : [
          {
            expected: `an error, since the request expects serial ${expected}`,
            actual: `200 with the past serial ${String(past)}`,
            pointer: "",
          },
        ];
  },
  examples: {
    kept: [
      {
        ...vetting,
        name: "the request expects the last serial",
        requestBody: expecting({ Prior: { value: 3 } }),
        body: afterThree,
      },
    ],
    broken: [
      {
        ...vetting,
        name: "the request expects an older serial",
        requestBody: expecting({ Prior: { value: 2 } }),
        body: afterThree,
      },
      {
        ...vetting,
        name: "the request expects no prior serial and there is one",
        requestBody: expecting({ NoPrior: {} }),
        body: afterThree,
      },
    ],
  },
};

/** The expected serial as text, `none` for no prior transaction; undefined if the request expects nothing. */
function expectedSerial(request: CheckedExchange["requestJson"]): string | undefined {
  const prior = memberAt(request, "expectedTopologySerial", "serial", "Prior", "value");
  if (typeof prior === "number" || typeof prior === "string") return String(prior);
  return memberAt(request, "expectedTopologySerial", "serial", "NoPrior") === undefined ? undefined : "none";
}
