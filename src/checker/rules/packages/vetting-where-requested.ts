import { logicalId, vettingOperations } from "../_vetting.ts";
import { memberAt, textAt } from "../members.ts";
import type { ExchangeRule, Finding, JudgedExchange } from "../rule.ts";

const vetting = { operationId: "postV2Package-vetting", target: "/v2/package-vetting" } as const;
const state = (synchronizerId: string) => ({
  packages: [],
  participantId: "participant1::1220ab",
  synchronizerId,
  topologySerial: 1,
});
const answer = (synchronizerId: string) => JSON.stringify({ newVettedPackages: state(synchronizerId) });
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
  check: (judged) => (judged.status === 200 ? wrongSynchronizer(judged) : wrongRefusal(judged)),
  examples: {
    kept: [
      {
        ...vetting,
        name: "where it was asked for",
        requestBody: { ...request, synchronizerId: main },
        status: 200,
        body: answer(main),
      },
      {
        ...vetting,
        ...cannotTell,
        name: "several to choose from",
        requestBody: request,
        known: { connectedSynchronizers: [main, second] },
      },
    ],
    broken: [
      {
        ...vetting,
        name: "elsewhere",
        requestBody: { ...request, synchronizerId: main },
        status: 200,
        body: answer(second),
      },
      {
        ...vetting,
        name: "one of several",
        requestBody: request,
        status: 200,
        body: answer(main),
        known: { connectedSynchronizers: [main, second] },
      },
      { ...vetting, ...cannotTell, name: "though it was named", requestBody: { ...request, synchronizerId: main } },
      {
        ...vetting,
        ...cannotTell,
        name: "though there is only one",
        requestBody: request,
        known: { connectedSynchronizers: [main] },
      },
    ],
  },
};

function wrongSynchronizer({ requestJson, responseJson, known }: JudgedExchange): readonly Finding[] {
  const asked = askedSynchronizer(requestJson);
  const connected = known.connectedSynchronizers;
  const answered = textAt(responseJson, "newVettedPackages", "synchronizerId");
  if (asked === undefined && connected !== undefined && connected.length > 1)
    return [
      { expected: code, actual: `200 on ${answered ?? "some synchronizer"}`, pointer: "", keyword: "autodetect" },
    ];
  const expected = asked ?? connected?.[0];
  if (expected === undefined || answered === undefined || logicalId(expected) === logicalId(answered)) return [];
  return [{ expected, actual: answered, pointer: "/newVettedPackages/synchronizerId", keyword: "synchronizer" }];
}

/** That none is connected is a reason as well (facts, ledger-api 4.8). */
function wrongRefusal({ requestJson, responseText, known }: JudgedExchange): readonly Finding[] {
  const isAutodetection = responseText.includes(code);
  const asked = askedSynchronizer(requestJson);
  if (isAutodetection && asked !== undefined)
    return [
      { expected: "no autodetection, since a synchronizer is named", actual: code, pointer: "", keyword: "named" },
    ];
  if (isAutodetection && known.connectedSynchronizers?.length === 1)
    return [{ expected: "the only connected synchronizer is taken", actual: code, pointer: "", keyword: "only-one" }];
  return [];
}

function askedSynchronizer(request: JudgedExchange["requestJson"]): string | undefined {
  const asked = memberAt(request, "synchronizerId");
  return typeof asked === "string" && asked !== "" ? asked : undefined;
}
