import type { Difference } from "../../../../checker/comparison/difference.ts";
import { headerValues } from "../../../../foundation/http/header.ts";
import type { ReleaseBehaviour } from "../../../../foundation/spec/contracts.ts";
import type { PlayedRequest, ResponseSummary } from "./played-request.ts";

/** A difference between the responses of both releases, with the request. */
export interface SeenDifference {
  readonly played: PlayedRequest;
  readonly before: ResponseSummary;
  readonly after: ResponseSummary;
  readonly difference: Difference;
}

/** What a switch of a release changes for a client, and how to recognize it. */
export interface SwitchEffect {
  readonly title: string;
  readonly advice: string;
  /** Whether the request alone decides it, whatever the state of the node. */
  readonly isOfRequest?: boolean;
  isCauseOf(seen: SeenDifference): boolean;
  /** Whether a recorded response shows that the switch changes it. */
  isShownBy?(recorded: ResponseSummary): boolean;
}

const operationMatches =
  (pattern: RegExp) =>
  ({ played }: SeenDifference): boolean =>
    pattern.test(played.sent.operationId ?? "");
const isRights = operationMatches(/^postV2Users/);
const isAllocation = operationMatches(/^postV2Parties/);
const isExecution = operationMatches(/Interactive-submissionExecute/);
const isVetting = operationMatches(/ackage-vetting/);

/** One effect for each switch of a release. */
export const switchEffects: Readonly<Record<keyof ReleaseBehaviour, SwitchEffect>> = {
  hasPrimaryPartyAuthentication: {
    title: "users have the member primaryPartyAuthentication",
    advice: "Ignore members that the client does not know.",
    isCauseOf: ({ difference }) => difference.pointer.endsWith("/primaryPartyAuthentication"),
  },
  hasAllocationForUsers: {
    title: "an allocation supports userId and waitForAllocation, and checks the identity provider",
    advice: "Name an identity provider that exists.",
    isCauseOf: (seen) => isAllocation(seen) && isStatus(seen),
  },
  executesOnPhysicalIds: {
    title: "an execution accepts the physical id of a synchronizer",
    advice: "No change is needed.",
    isCauseOf: (seen) => isExecution(seen) && isStatus(seen),
  },
  grantsUnknownParties: {
    title: "a participant administrator may grant rights over parties that do not exist",
    advice: "Check the party before the grant if the client relied on the refusal.",
    isCauseOf: (seen) => isRights(seen) && seen.before.status >= 400 && seen.after.status < 400,
  },
  guardsAnyPartyRights: {
    title: "only a participant administrator may grant rights over any party",
    advice: "Grant them with the token of a participant administrator.",
    isCauseOf: (seen) => isRights(seen) && seen.after.status === 403,
  },
  toleratesUnvettedDependencies: {
    title: "dependencies may stay unvetted from protocol version 35 on",
    advice: "No change is needed.",
    isCauseOf: (seen) => isVetting(seen) && seen.before.status >= 400 && seen.after.status < 400,
  },
  tracesJsonLayerErrors: {
    title: "errors of the JSON layer have a trace id",
    advice: "No change is needed.",
    isCauseOf: ({ difference }) => difference.pointer === "/traceId",
  },
  hasLedgerApiErrorOfUnknownPath: {
    title: "the response to an unknown path has the member ledgerApiError",
    advice: "Ignore members that the client does not know.",
    isCauseOf: ({ difference }) => difference.pointer === "/ledgerApiError",
  },
  decodesLikeNode: {
    title: "request bodies are decoded as the codec of the release does",
    advice: "Send a body that the schema of the release allows.",
    isOfRequest: true,
    isCauseOf: ({ before, after }) => /^Invalid value for: /.test(before.status === 400 ? before.text : after.text),
  },
  namesPlainResourceTypes: {
    title: 'errors name plain resource types: ["USER", …] instead of ["ErrorResource(USER)", …]',
    advice: "Accept both forms in the member resources of errors.",
    isCauseOf: ({ difference }) => /^\/resources\/\d+\/0$/.test(difference.pointer),
  },
  trimsSubprotocols: {
    title: "values of Sec-WebSocket-Protocol may follow a blank, so the token in them counts",
    advice: "No change is needed.",
    isOfRequest: true,
    isCauseOf: ({ played }) =>
      headerValues(played.exchange.request.headers, "sec-websocket-protocol").some((value) =>
        /\s+jwt\.token\./.test(value),
      ),
  },
  hasTransactionHashes: {
    title: "responses have the members transactionHash and synchronizerTimes",
    advice: "Ignore members that the client does not know.",
    isCauseOf: ({ difference }) => /\/(?:transactionHash|synchronizerTimes)$/.test(difference.pointer),
    isShownBy: ({ status, text }) => status === 200 && /"externalTransactionHash":\s*"/.test(text),
  },
  hasRequestTimeout: {
    title: "the header Request-Timeout must be a whole number from 1000 to 60000",
    advice: "Send milliseconds within the window, or omit the header.",
    isOfRequest: true,
    isCauseOf: ({ played, after }) =>
      after.status === 400 && headerValues(played.exchange.request.headers, "request-timeout").length > 0,
  },
  jsonNestingMax: {
    title: "JSON that is nested too deep is refused as text",
    advice: "Send JSON with at most 100 levels.",
    isOfRequest: true,
    isCauseOf: ({ after }) => after.status === 400 && after.text.includes("nested deeper than"),
  },
};

function isStatus({ difference }: SeenDifference): boolean {
  return difference.aspect === "status";
}
