import type { JsonObject } from "../../../foundation/json/json.ts";
import { vettingOperations } from "../_vetting.ts";
import { memberAt } from "../members.ts";
import type { CheckedExchange, ExchangeRule } from "../rule.ts";
import { vettedPackages, vetting, vettingChange, vettingResponse } from "../sample-vetting.ts";

const afterThree = vettingResponse(vettedPackages(["a"], 3), vettedPackages(["a"], 3));
const expecting = (serial: JsonObject) => ({
  ...vetting,
  requestBody: { changes: [vettingChange("Vet")], expectedTopologySerial: { serial } },
  body: afterThree,
});

export const expectedSerialKept: ExchangeRule = {
  type: "exchange",
  id: "expected-serial-kept",
  section: "4.2",
  severity: "error",
  summary:
    "Vetting succeeds only if the expected topology serial of the request equals the serial of the last vetting transaction.",
  examplesIn: "canton-3.5",
  operations: [...vettingOperations],
  appliesTo: ({ status, requestJson, responseJson }) =>
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
    kept: [{ ...expecting({ Prior: { value: 3 } }), name: "the request expects the last serial" }],
    broken: [
      { ...expecting({ Prior: { value: 2 } }), name: "the request expects an older serial" },
      { ...expecting({ NoPrior: {} }), name: "the request expects no prior serial and there is one" },
    ],
  },
};

/** The expected serial as text, `none` for no prior transaction; undefined if the request expects nothing. */
function expectedSerial(request: CheckedExchange["requestJson"]): string | undefined {
  const prior = memberAt(request, "expectedTopologySerial", "serial", "Prior", "value");
  if (typeof prior === "number" || typeof prior === "string") return String(prior);
  return memberAt(request, "expectedTopologySerial", "serial", "NoPrior") === undefined ? undefined : "none";
}
