import { logicalId, vettingOperations } from "../_vetting.ts";
import { memberAt, textAt } from "../members.ts";
import type { CheckedExchange, ExchangeRule, Finding } from "../rule.ts";

const vetting = { operationId: "postV2Package-vetting", target: "/v2/package-vetting" } as const;
const state = (synchronizerId: string) => ({
  packages: [],
  participantId: "participant1::1220ab",
  synchronizerId,
  topologySerial: 1,
});
const response = (synchronizerId: string) => JSON.stringify({ newVettedPackages: state(synchronizerId) });
const request = { changes: [{ operation: { Unvet: { value: { packages: [] } } } }] };
const [main, second] = ["main::1220ab", "second::1220ab"];
const code = "PACKAGE_SERVICE_CANNOT_AUTODETECT_SYNCHRONIZER";
const cannotTell = { status: 400, contentType: "text/plain", body: `${code}: which one?` } as const;

export const vettingWhereRequested: ExchangeRule = {
  type: "exchange",
  id: "vetting-where-requested",
  section: "4.2",
  severity: "error",
  summary: `Vetting takes place on the synchronizer of the request, else on the only connected one; with several it fails with ${code}.`,
  examplesIn: "canton-3.5",
  operations: [...vettingOperations],
  appliesTo: ({ operation, status, requestJson }) =>
    vettingOperations.has(operation.operationId) && requestJson !== undefined && (status === 200 || status === 400),
  check: (checked) => (checked.status === 200 ? wrongSynchronizer(checked) : wrongRefusal(checked)),
  examples: {
    kept: [
      {
        ...vetting,
        name: "where it was asked for",
        requestBody: { ...request, synchronizerId: main },
        status: 200,
        body: response(main),
      },
      {
        ...vetting,
        ...cannotTell,
        name: "several to choose from",
        requestBody: request,
        context: { connectedSynchronizers: [main, second] },
      },
    ],
    broken: [
      {
        ...vetting,
        name: "elsewhere",
        requestBody: { ...request, synchronizerId: main },
        status: 200,
        body: response(second),
      },
      {
        ...vetting,
        name: "one of several",
        requestBody: request,
        status: 200,
        body: response(main),
        context: { connectedSynchronizers: [main, second] },
      },
      { ...vetting, ...cannotTell, name: "though it was named", requestBody: { ...request, synchronizerId: main } },
      {
        ...vetting,
        ...cannotTell,
        name: "though there is only one",
        requestBody: request,
        context: { connectedSynchronizers: [main] },
      },
    ],
  },
};

function wrongSynchronizer({ requestJson, responseJson, context }: CheckedExchange): readonly Finding[] {
  const requested = requestedSynchronizer(requestJson);
  const connected = context.connectedSynchronizers;
  const responded = textAt(responseJson, "newVettedPackages", "synchronizerId");
  if (requested === undefined && connected !== undefined && connected.length > 1)
    return [
      { expected: code, actual: `200 on ${responded ?? "some synchronizer"}`, pointer: "", keyword: "autodetect" },
    ];
  const expected = requested ?? connected?.[0];
  if (expected === undefined || responded === undefined || logicalId(expected) === logicalId(responded)) return [];
  return [{ expected, actual: responded, pointer: "/newVettedPackages/synchronizerId", keyword: "synchronizer" }];
}

/** That none is connected is a reason as well (Canton 3.5, ApiPackageManagementService.scala). */
function wrongRefusal({ requestJson, responseText, context }: CheckedExchange): readonly Finding[] {
  const isAutodetection = responseText.includes(code);
  const requested = requestedSynchronizer(requestJson);
  if (isAutodetection && requested !== undefined)
    return [
      { expected: "no autodetection, since a synchronizer is named", actual: code, pointer: "", keyword: "named" },
    ];
  if (isAutodetection && context.connectedSynchronizers?.length === 1)
    return [{ expected: "the only connected synchronizer is taken", actual: code, pointer: "", keyword: "only-one" }];
  return [];
}

function requestedSynchronizer(request: CheckedExchange["requestJson"]): string | undefined {
  const requested = memberAt(request, "synchronizerId");
  return typeof requested === "string" && requested !== "" ? requested : undefined;
}
