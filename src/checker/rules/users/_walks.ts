import { bytesOfText } from "../bytes-of.ts";
import { listAt, textAt } from "../members.ts";
import { isOfAnotherCheck } from "../probe-ids.ts";
import { failedWrite } from "../register.ts";
import {
  type BoundedMap,
  type Finding,
  inconclusive,
  type Memories,
  notApplicable,
  type Span,
  type TracedExchange,
  type TraceWatch,
  withFindings,
} from "../rule.ts";

/** A walk through the pages of users: the pages from the first one to the current one. */
export interface Walk {
  readonly span: Span;
  readonly ids: ReadonlySet<string>;
  /** Page tokens of the walk. */
  readonly tokens: ReadonlySet<string>;
  /** Token of the next page; empty at the end. */
  readonly nextToken: string;
  /** Size of the walk in memory. */
  readonly bytes: number;
}

/** Number of users remembered per walk. */
const walkUsersMax = 100_000;

/** The role of a response in a walk. `again` are users of the page that an earlier page of the walk lists. */
type WalkStep =
  | { readonly type: "page"; readonly walk: Walk; readonly again: readonly string[] }
  | { readonly type: "no-page" }
  | { readonly type: "lost"; readonly reason: string };

interface OpenWalk {
  span: Span;
  readonly ids: Set<string>;
  readonly tokens: Set<string>;
  nextToken: string;
  /** Size of ids and tokens. */
  bytes: number;
}

/** Operations that change the set of listed users. */
export const usersChanging: ReadonlySet<string> = new Set([
  "postV2Users",
  "deleteV2UsersUser-id",
  "patchV2UsersUser-idIdentity-provider-id",
]);

/** Operations that rules about walks watch. */
export const walkOperations: readonly string[] = ["getV2Users", ...usersChanging];

/** Follows walks by page token: a page belongs to the walk whose last page gave its token. */
export class Walks {
  readonly #byToken: BoundedMap<OpenWalk>;
  #openChanges = 0;
  #lastChangeEnd = Number.NEGATIVE_INFINITY;

  constructor(memories: Memories) {
    this.#byToken = memories.map(({ bytes }) => bytes);
  }

  begins({ operation }: TracedExchange): void {
    if (usersChanging.has(operation.operationId)) this.#openChanges += 1;
  }

  /** Whether no user was created or removed since the walk or exchange began. A write that failed may still take effect. */
  isUndisturbed({ span }: Pick<Walk, "span">): boolean {
    return this.#openChanges === 0 && this.#lastChangeEnd < span.start;
  }

  /** Whether no other user was created or removed during this open change. */
  isOnlyChange({ span }: TracedExchange): boolean {
    return this.#openChanges === 1 && this.#lastChangeEnd < span.start;
  }

  ends(traced: TracedExchange): WalkStep {
    if (usersChanging.has(traced.operation.operationId)) {
      this.#openChanges -= 1;
      const isOver = traced.status === 200 || failedWrite(traced.status).type === "unchanged";
      this.#lastChangeEnd = isOver ? Math.max(this.#lastChangeEnd, traced.span.end) : Number.POSITIVE_INFINITY;
    }
    const { operation, status, query, responseJson, span, context } = traced;
    if (operation.operationId !== "getV2Users" || status !== 200) return { type: "no-page" };
    const listed = listAt(responseJson, "users").flatMap((user) => textAt(user, "id") ?? []);
    const ids = listed.filter((id) => !isOfAnotherCheck(id, context));
    const nextToken = textAt(responseJson, "nextPageToken") ?? "";
    const token = query.get("pageToken") ?? "";
    if (token === "") return this.#advance(newWalk(span), ids, nextToken);
    const walk = this.#byToken.get(token);
    if (walk === undefined || walk.nextToken !== token)
      return { type: "lost", reason: "the previous page is missing, or its token was used twice" };
    // The request has the token of the previous page, so it began after that page arrived, even where times overlap.
    if (walk.span.start > span.start) return { type: "lost", reason: "the previous page began after this one" };
    if (walk.ids.size + ids.length > walkUsersMax)
      return { type: "lost", reason: `the walk has more than ${walkUsersMax} users` };
    this.#byToken.delete(token);
    walk.tokens.add(token);
    walk.bytes += bytesOfText(token);
    walk.span = { start: walk.span.start, end: Math.max(walk.span.end, span.end) };
    return this.#advance(walk, ids, nextToken);
  }

  #advance(walk: OpenWalk, ids: readonly string[], nextToken: string): WalkStep {
    const again = ids.filter((id) => walk.ids.has(id));
    for (const id of ids) {
      walk.ids.add(id);
      walk.bytes += bytesOfText(id);
    }
    walk.nextToken = nextToken;
    const other = nextToken === "" ? undefined : this.#byToken.get(nextToken);
    // Two walks with the same next token and different users are indistinguishable.
    const isMixedUp = other !== undefined && other.nextToken === nextToken && !isSameSet(other.ids, walk.ids);
    if (isMixedUp) this.#byToken.delete(nextToken);
    else if (nextToken !== "") this.#byToken.set(nextToken, walk);
    return { type: "page", walk, again };
  }
}

function newWalk(span: Span): OpenWalk {
  return { span, ids: new Set(), tokens: new Set(), nextToken: "", bytes: 0 };
}

/** Watches walks during which no user is created or removed. `check` finds what a page breaks. */
export function watchUndisturbedWalks(
  memories: Memories,
  check: (page: Extract<WalkStep, { readonly type: "page" }>, traced: TracedExchange) => readonly Finding[],
): TraceWatch {
  const walks = new Walks(memories);
  return {
    begins: (traced) => walks.begins(traced),
    ends(traced) {
      const step = walks.ends(traced);
      if (step.type === "no-page") return notApplicable;
      if (step.type === "lost") return inconclusive(step.reason);
      if (!walks.isUndisturbed(step.walk)) return inconclusive("users were created or removed during the walk");
      return withFindings(check(step, traced));
    },
  };
}

function isSameSet(left: ReadonlySet<string>, right: ReadonlySet<string>): boolean {
  return left.size === right.size && [...left].every((element) => right.has(element));
}
