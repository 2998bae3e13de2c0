import type { DescriptionDifference } from "../../../../foundation/spec/compare-descriptions.ts";
import { anonymousPath, compareDescriptions } from "../../../../foundation/spec/compare-descriptions.ts";
import type { ReleaseBehaviour } from "../../../../foundation/spec/contracts.ts";
import { isRequestTo } from "../../../../foundation/spec/disabled-part.ts";
import { publishedIn } from "../../../../foundation/spec/published-operations.ts";
import { sentenceOf } from "../../profiles/schema-sentence.ts";
import type { Cause } from "./cause.ts";
import { hasMemberAt, hasValueAt, lacksMemberAt } from "./json-members.ts";
import type { RecordedRequest } from "./recorded-request.ts";
import { type Migration, specOf } from "./releases.ts";

/** A difference, and the release that brings it. */
interface Change extends DescriptionDifference {
  readonly since: string;
}

/** The differences between the descriptions of releases, as they concern recorded requests. */
export class DescribedChanges {
  /** By method and path; the parameters of a path have no names. */
  readonly #changes: ReadonlyMap<string, readonly Change[]>;
  readonly #sentences: ReadonlyMap<string, string>;
  /** Operations that only a later release publishes, without a description. */
  readonly #published: readonly Pick<Change, "operation" | "since">[];

  /** `sentences` has what a client notices of a switch. */
  constructor({ from, passed }: Migration, sentences: ReadonlyMap<string, string>) {
    this.#sentences = sentences;
    const steps = passed.map(({ name }, place) => [passed[place - 1]?.name ?? from, name] as const);
    const changes = steps.flatMap(([before, since]) =>
      (["ledger", "registry"] as const).flatMap((api) =>
        compareDescriptions(specOf(before).descriptions[api], specOf(since).descriptions[api]).map((found) => ({
          ...found,
          since,
        })),
      ),
    );
    this.#changes = Map.groupBy(changes, ({ operation }) => anonymousPath(operation));
    this.#published = steps.flatMap(([before, since]) => {
      const known = publishedIn("ledger", before);
      const added = publishedIn("ledger", since).filter((operation) => !known.includes(operation));
      return added.map((operation) => ({ operation, since }));
    });
  }

  of(request: RecordedRequest): readonly Cause[] {
    const { exchange, path, operation, recorded } = request;
    const { method } = exchange.request;
    if (operation === undefined) {
      const added = this.#published.find((each) => isRequestTo(each.operation, `${method} ${path}`));
      return added === undefined || recorded.status !== 404 ? [] : [newOperation(added)];
    }
    const changes = this.#changes.get(anonymousPath(`${method} ${operation.path}`)) ?? [];
    return changes.flatMap((change) => {
      const cause = causeOf(change, request);
      const title = this.#sentences.get(switchOfMember[change.member.split("/").at(-1) ?? ""] ?? "");
      return cause === undefined ? [] : [title === undefined ? cause : { ...cause, title }];
    });
  }
}

/** The switch that adds a member, whose sentence names the change. */
const switchOfMember: Readonly<Record<string, keyof ReleaseBehaviour>> = {
  primaryPartyAuthentication: "hasPrimaryPartyAuthentication",
  transactionHash: "hasTransactionHashes",
};

function causeOf(change: Change, request: RecordedRequest): Cause | undefined {
  switch (change.part) {
    case "operation":
      return ofOperation(change, request);
    case "query":
      return undefined;
    case "request":
      return ofBody(change, request);
    case "response":
      return request.recorded.status < 400 ? ofResponse(change, request) : undefined;
  }
}

function ofOperation(change: Change, { recorded: { status } }: RecordedRequest): Cause | undefined {
  if (change.change === "added") return status === 404 || status === 405 ? newOperation(change) : undefined;
  const title = `${change.operation} is removed`;
  const later = { status: 404, code: "" };
  return { type: "refuses", title, advice: "Replace the request.", since: change.since, later };
}

function newOperation({ operation, since }: Pick<Change, "operation" | "since">): Cause {
  return { type: "accepts", title: `${operation} is a new operation`, advice: "No change is needed.", since };
}

/** A value or member of the body that only one of the releases allows, or that only one requires. */
function ofBody(difference: Change, { body, recorded }: RecordedRequest): Cause | undefined {
  const { kind, change, member, value, isRequired, since } = difference;
  const isRequirement = kind === "required" || isRequired;
  const isShown = isRequirement
    ? lacksMemberAt(body, member)
    : kind === "value"
      ? hasValueAt(body, member, value)
      : hasMemberAt(body, member);
  if (!isShown) return undefined;
  const place = `a value of the request at /${member}`;
  if (isRequirement ? isRequired : change === "removed") {
    const title = isRequirement ? `${place} is required` : `${place} is no longer allowed`;
    const advice = isRequirement ? "Send the value." : "Send another value.";
    return { type: "refuses", title, advice, since, later: { status: 400, code: "" } };
  }
  // A body that does not decode is refused with text.
  if (recorded.status !== 400 || recorded.json !== undefined) return undefined;
  const title = isRequirement ? `${place} may be omitted` : `${place} is new`;
  return { type: "accepts", title, advice: "No change is needed.", since };
}

/** A member of the response that only one of the releases sends. What it may send is not decided. */
function ofResponse(difference: Change, { operation, recorded: { json } }: RecordedRequest): Cause | undefined {
  const { kind, change, member, since } = difference;
  const id = operation?.operationId ?? difference.operation;
  if (kind === "member" && change === "removed") {
    const title = `the response to ${id} has no member /${member} any more`;
    const advice = "Do without the member.";
    return hasMemberAt(json, member) ? { type: "loses", title, advice, since } : undefined;
  }
  if (kind === "member" && !isVariant(member)) {
    const title = `the response to ${id} has the new member /${member}`;
    const advice = "Ignore members that the client does not know.";
    return lacksMemberAt(json, member) ? { type: "changes", title, advice, since } : undefined;
  }
  const isConcerned = kind === "member" ? lacksMemberAt(json, member) : hasMemberAt(json, member);
  const sentence = sentenceOf(difference).text.replace(/\.$/, "");
  return isConcerned
    ? { type: "undecided", title: `${difference.operation}: ${sentence}`, advice: "", since }
    : undefined;
}

/** Whether a member is one of several forms of a value, as in `kind/CanReadAs`. */
function isVariant(member: string): boolean {
  return /(?:^|\/)[A-Z]\w*$/.test(member);
}
