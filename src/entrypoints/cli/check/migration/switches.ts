import { headerValues } from "../../../../foundation/http/header.ts";
import type { Json } from "../../../../foundation/json/json.ts";
import { exceededBound } from "../../../../foundation/json/json-bounds.ts";
import { listOf, objectOf, textOf } from "../../../../foundation/json/members.ts";
import type { ReleaseBehaviour } from "../../../../foundation/spec/contracts.ts";
import { isTimeoutRefused } from "../../../../stub/pipeline/request-timeout.ts";
import type { CauseType } from "./cause.ts";
import { hasMember, hasText } from "./json-members.ts";
import type { RecordedRequest, ShownStatus } from "./recorded-request.ts";

/** How a recording shows the effect of a switch. `contracts/release-differences.yaml` says what it changes. */
export interface SwitchReading {
  /** What to change. */
  readonly advice: string;
  /** The response to a refused request. */
  readonly later?: ShownStatus;
  /** The effect on a request; `value` is that of the later release. */
  read(request: RecordedRequest, value: boolean | number | null | undefined): CauseType | undefined;
}

const noChange = "No change is needed.";
const badRequest: ShownStatus = { status: 400, code: "" };

/** One reading for each switch of a release. */
export const switchReadings: Readonly<Record<keyof ReleaseBehaviour, SwitchReading>> = {
  // The descriptions show the member.
  hasPrimaryPartyAuthentication: { advice: "", read: () => undefined },
  hasTransactionHashes: { advice: "", read: () => undefined },
  // Only the configuration of a node shows it.
  hasPartyTokens: { advice: "", read: () => undefined },
  hasAllocationForUsers: {
    advice: "Name an identity provider that exists.",
    read: ({ body }) => (hasMember(body, allocationMembers) ? "undecided" : undefined),
  },
  executesOnPhysicalIds: {
    advice: noChange,
    read: ({ recorded }) =>
      recorded.code === "INVALID_FIELD" && recorded.text.includes("synchronizer_id") ? "accepts" : undefined,
  },
  grantsUnknownParties: {
    advice: "Check the party before the grant if the client relied on the refusal.",
    read: ({ recorded }) => (recorded.code === "UNKNOWN_RESOURCE" ? "accepts" : undefined),
  },
  guardsAnyPartyRights: {
    advice: "Grant them with the token of a participant administrator.",
    read: ({ body, recorded }) => (recorded.status < 400 && hasMember(body, anyPartyRights) ? "undecided" : undefined),
  },
  toleratesUnvettedDependencies: {
    advice: noChange,
    read: ({ recorded }) => (recorded.code === "TOPOLOGY_DEPENDENCIES_NOT_VETTED" ? "accepts" : undefined),
  },
  tracesJsonLayerErrors: {
    advice: noChange,
    read: ({ recorded: { status, json } }) =>
      status >= 400 && objectOf(json)["traceId"] === null ? "changes" : undefined,
  },
  hasLedgerApiErrorOfUnknownPath: {
    advice: "Ignore members that the client does not know.",
    read: ({ recorded }) => (isOfUnknownPath(recorded.status, recorded.json) ? "changes" : undefined),
  },
  filtersByPackageName: {
    advice: "Name the package in filters: #name:Module:Entity.",
    later: { status: 400, code: "INVALID_FIELD" },
    read: ({ body }) => (hasText(body, filteredIds, (id) => id !== "" && !id.startsWith("#")) ? "refuses" : undefined),
  },
  namesPlainResourceTypes: {
    advice: "Accept both forms in the member resources of errors.",
    read: ({ recorded: { status, json } }) =>
      status >= 400 &&
      listOf(objectOf(json)["resources"]).some((one) => /^ErrorResource\(.*\)$/.test(textOf(listOf(one)[0])))
        ? "changes"
        : undefined,
  },
  trimsSubprotocols: { advice: noChange, read: ofSubprotocol },
  hasRequestTimeout: {
    advice: "Send milliseconds within the window, or omit the header.",
    later: badRequest,
    read: ({ exchange, operation }) =>
      operation !== undefined && isTimeoutRefused(exchange.request.headers) ? "refuses" : undefined,
  },
  jsonNestingMax: {
    advice: "Send JSON with at most 100 levels.",
    later: badRequest,
    read: ({ exchange, operation, body }, value) =>
      operation?.requestSchema !== undefined &&
      body !== undefined &&
      isNestedDeeper(exchange.request.body.text(), Number(value))
        ? "refuses"
        : undefined,
  },
};

export function isSwitchName(name: string): name is keyof ReleaseBehaviour {
  return Object.hasOwn(switchReadings, name);
}

const allocationMembers: ReadonlySet<string> = new Set(["identityProviderId", "userId", "waitForAllocation"]);
const anyPartyRights: ReadonlySet<string> = new Set(["CanActAsAnyParty", "CanReadAsAnyParty", "CanExecuteAsAnyParty"]);
const filteredIds: ReadonlySet<string> = new Set(["templateId", "interfaceId"]);

function isOfUnknownPath(status: number, json: Json | undefined): boolean {
  const error = objectOf(json);
  return status === 404 && textOf(listOf(error["errors"])[0]).startsWith("HttpMethod(") && !("ledgerApiError" in error);
}

function isNestedDeeper(text: string, nestingMax: number): boolean {
  const unbounded = Number.POSITIVE_INFINITY;
  return exceededBound(text, { nestingMax, jsonValuesMax: unbounded, numberLengthMax: unbounded }) !== undefined;
}

/** A refused request may have a token after a blank; a redacted header does not show it. */
function ofSubprotocol({ exchange, recorded }: RecordedRequest): CauseType | undefined {
  const values = headerValues(exchange.request.headers, "Sec-WebSocket-Protocol");
  if (recorded.status !== 401 || values.length === 0) return undefined;
  if (values.some((value) => /\s+jwt\.token\./.test(value))) return "accepts";
  return values.some((value) => value.includes("jwt.token.")) ? undefined : "undecided";
}
