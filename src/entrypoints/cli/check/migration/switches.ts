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

/** How to recognize the effect of a switch, and what to change. `contracts/release-differences.yaml` says what it changes. */
export interface SwitchEffect {
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
    advice: "Ignore members that the client does not know.",
    isCauseOf: ({ difference }) => difference.pointer.endsWith("/primaryPartyAuthentication"),
  },
  hasAllocationForUsers: {
    advice: "Name an identity provider that exists.",
    isCauseOf: (seen) => isAllocation(seen) && isStatus(seen),
  },
  executesOnPhysicalIds: {
    advice: "No change is needed.",
    isCauseOf: (seen) => isExecution(seen) && isStatus(seen),
  },
  grantsUnknownParties: {
    advice: "Check the party before the grant if the client relied on the refusal.",
    isCauseOf: (seen) => isRights(seen) && seen.before.status >= 400 && seen.after.status < 400,
  },
  guardsAnyPartyRights: {
    advice: "Grant them with the token of a participant administrator.",
    isCauseOf: (seen) => isRights(seen) && seen.after.status === 403,
  },
  toleratesUnvettedDependencies: {
    advice: "No change is needed.",
    isCauseOf: (seen) => isVetting(seen) && seen.before.status >= 400 && seen.after.status < 400,
  },
  tracesJsonLayerErrors: {
    advice: "No change is needed.",
    isCauseOf: ({ difference }) => difference.pointer === "/traceId",
  },
  hasLedgerApiErrorOfUnknownPath: {
    advice: "Ignore members that the client does not know.",
    isCauseOf: ({ difference }) => difference.pointer === "/ledgerApiError",
  },
  filtersByPackageName: {
    advice: "Name the package in filters: #name:Module:Entity.",
    isOfRequest: true,
    isCauseOf: ({ after }) => after.status === 400 && after.text.includes("but expected a package name"),
  },
  namesPlainResourceTypes: {
    advice: "Accept both forms in the member resources of errors.",
    isCauseOf: ({ difference }) => /^\/resources\/\d+\/0$/.test(difference.pointer),
  },
  trimsSubprotocols: {
    advice: "No change is needed.",
    isOfRequest: true,
    isCauseOf: ({ played }) =>
      headerValues(played.exchange.request.headers, "sec-websocket-protocol").some((value) =>
        /\s+jwt\.token\./.test(value),
      ),
  },
  hasTransactionHashes: {
    advice: "Ignore members that the client does not know.",
    isCauseOf: ({ difference }) => difference.pointer.endsWith("/transactionHash"),
    isShownBy: ({ status, text }) => status === 200 && /"externalTransactionHash":\s*"/.test(text),
  },
  hasRequestTimeout: {
    advice: "Send milliseconds within the window, or omit the header.",
    isOfRequest: true,
    isCauseOf: ({ played, after }) =>
      after.status === 400 && headerValues(played.exchange.request.headers, "request-timeout").length > 0,
  },
  jsonNestingMax: {
    advice: "Send JSON with at most 100 levels.",
    isOfRequest: true,
    isCauseOf: ({ after }) => after.status === 400 && after.text.includes("nested deeper than"),
  },
};

function isStatus({ difference }: SeenDifference): boolean {
  return difference.aspect === "status";
}
