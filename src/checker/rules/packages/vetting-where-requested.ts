import { logicalId, vettingOperations, vettingRequest } from "../_vetting.ts";
import { memberAt, textAt } from "../members.ts";
import type { CheckedExchange, ExchangeRule, Finding } from "../rule.ts";
import { vettedPackages, vetting, vettingChange, vettingResponse } from "../sample-vetting.ts";

const [main, second] = ["main::1220ab", "second::1220ab"];
const request = { changes: [vettingChange("Unvet")] };
const unnamed = { ...vetting, requestBody: request };
const named = { ...vetting, requestBody: { ...request, synchronizerId: main } };
const response = (synchronizerId: string) => vettingResponse({}, vettedPackages([], 1, synchronizerId));
const code = "PACKAGE_SERVICE_CANNOT_AUTODETECT_SYNCHRONIZER";
const cannotTell = { status: 400, contentType: "text/plain", body: `${code}: which one?` } as const;

/** Statuses of an error in the request. */
const ofRequest: ReadonlySet<number> = new Set([400, 404, 409, 412, 422]);
/** Codes and texts of other errors in a vetting request, which may come first. */
const otherErrors = /VETTING_REFERENCE|INVALID_|MISSING_FIELD|TOPOLOGY_|PROTO_DESERIALIZATION|Invalid value/;

export const vettingWhereRequested: ExchangeRule = {
  type: "exchange",
  id: "vetting-where-requested",
  section: "4.2",
  severity: "error",
  summary: `Vetting changes the requested synchronizer, or the only connected one; with several connected ones it fails with ${code}.`,
  examplesIn: "canton-3.5",
  operations: [...vettingOperations],
  appliesTo: ({ status, requestJson }) => requestJson !== undefined && (status === 200 || ofRequest.has(status)),
  check: (checked) => (checked.status === 200 ? wrongSynchronizer(checked) : wrongRefusal(checked)),
  examples: {
    kept: [
      { ...named, name: "vetting on the requested synchronizer", body: response(main) },
      {
        ...unnamed,
        ...cannotTell,
        name: "an error with several connected synchronizers",
        context: { connectedSynchronizers: [main, second] },
      },
    ],
    broken: [
      {
        ...unnamed,
        ...cannotTell,
        name: "another code with several connected synchronizers",
        body: "PACKAGE_SERVICE_NOT_CONNECTED_TO_SYNCHRONIZER: which one?",
        context: { connectedSynchronizers: [main, second] },
      },
      {
        ...unnamed,
        ...cannotTell,
        name: "an invalid argument, although the request only omits the synchronizer",
        body: "INVALID_ARGUMENT: the synchronizer is missing",
        context: { connectedSynchronizers: [main, second], omits: "synchronizerId" },
      },
      {
        ...unnamed,
        ...cannotTell,
        name: "a refusal without the synchronizer, with one connected synchronizer",
        body: "Invalid value for: body",
        context: { connectedSynchronizers: [main], omits: "synchronizerId" },
      },
      {
        ...unnamed,
        name: "vetting on another than the only connected synchronizer",
        body: response(second),
        context: { connectedSynchronizers: [main] },
      },
      { ...named, name: "vetting on another synchronizer", body: response(second) },
      {
        ...unnamed,
        name: "the node picks one of several synchronizers",
        body: response(main),
        context: { connectedSynchronizers: [main, second] },
      },
      { ...named, ...cannotTell, name: "an autodetection error although the request names the synchronizer" },
      {
        ...unnamed,
        ...cannotTell,
        name: "an autodetection error with one connected synchronizer",
        context: { connectedSynchronizers: [main] },
      },
    ],
  },
};

function wrongSynchronizer(checked: CheckedExchange): readonly Finding[] {
  const { responseJson, context } = checked;
  const requested = requestedSynchronizer(checked);
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

/** The code is also valid if no synchronizer is connected (Canton 3.5, ApiPackageManagementService.scala). */
function wrongRefusal(checked: CheckedExchange): readonly Finding[] {
  const { responseBody, context } = checked;
  const isAutodetection = responseBody.text().includes(code);
  const requested = requestedSynchronizer(checked);
  if (isAutodetection && requested !== undefined)
    return refusalFinding("no autodetection error, since the request names a synchronizer", code, "named");
  const isAmbiguous = requested === undefined && (context.connectedSynchronizers?.length ?? 0) > 1;
  const text = responseBody.text();
  const isOnlyError = context.omits !== undefined || !otherErrors.test(text);
  // A node that disables the operation responds before it reads the body.
  if (isAmbiguous && !isAutodetection && isOnlyError)
    return refusalFinding(code, text, text.includes("DEPRECATED_API_DISABLED") ? "disabled" : "code");
  const isOnlyOne = requested === undefined && context.connectedSynchronizers?.length === 1;
  if (isOnlyOne && (isAutodetection || context.omits !== undefined))
    return refusalFinding("vetting on the only connected synchronizer", text, "only-one");
  return [];
}

function refusalFinding(expected: string, text: string, keyword: string): readonly Finding[] {
  return [{ expected, actual: text.slice(0, 80), pointer: "", keyword }];
}

function requestedSynchronizer(checked: CheckedExchange): string | undefined {
  const requested = memberAt(vettingRequest(checked), "synchronizerId");
  return typeof requested === "string" && requested !== "" ? requested : undefined;
}
