import { isJsonObject, type Json, type JsonObject } from "../../../foundation/json/json.ts";
import { listOf, objectOf, optionalTextOf, textOf } from "../../../foundation/json/members.ts";
import { operationIds } from "../../../foundation/spec/generated/names.ts";
import { isIdentifier } from "../../../foundation/spec/identifiers.ts";
import type { Table } from "../../../foundation/table/table.ts";
import { durationMs } from "../../../foundation/text/duration.ts";
import { advise } from "../../../foundation/text/suggestion.ts";
import type { LedgerState } from "../../../simulator/ledger/ledger-state.ts";
import type { Right } from "../../../simulator/ledger/right.ts";
import type { CallEvent, Plan, ResponseEvent, TimedEvent, WorldChange } from "../../../simulator/world/plan.ts";
import { number } from "../_reader.ts";
import { rightFrom, userFrom, vettedFrom } from "../fixtures/ledger-fixture.ts";
import { type Problem, pathText, problemAt, problemsMax } from "../problem.ts";
import type { SourceFile } from "../source-file.ts";
import { stepOperations } from "../step-operations.ts";
import { compileResponse, isResponse, unknownOperation } from "./compile-response.ts";

/** Kinds of names that a plan looks up in fixtures. */
export type PlanKind = "contracts" | "packages" | "synchronizers" | "users";

/** The context of a plan: its file, and the world that it changes. */
export interface PlanOptions {
  readonly source: SourceFile;
  /** The path of the plan in the file. */
  readonly path: readonly (string | number)[];
  readonly startMs: number;
  readonly ledger: Pick<LedgerState, "participantId" | "users" | "synchronizers" | "packages">;
  readonly registry: { readonly contracts: Table<unknown> };
  /** Kinds of names that are not known, because their fixture has problems. */
  readonly unreadable?: ReadonlySet<string>;
}

interface CompiledEntry {
  readonly timed: readonly TimedEvent[];
  readonly calls: readonly CallEvent[];
  readonly responses: readonly ResponseEvent[];
  readonly problems: readonly Problem[];
}

const nothing: CompiledEntry = { timed: [], calls: [], responses: [], problems: [] };

/** The events of a plan, in order of time, and its problems. */
export function compilePlan(
  plan: Json | undefined,
  options: PlanOptions,
): { readonly plan: Omit<Plan, "expected">; readonly problems: readonly Problem[] } {
  const entries = compileEntries(listOf(plan), options);
  const timed = entries.flatMap((entry) => entry.timed).sort((left, right) => left.atMs - right.atMs);
  const overlapping = overlaps(timed, options);
  return {
    plan: {
      timed,
      calls: entries.flatMap((entry) => entry.calls),
      responses: entries.flatMap((entry) => entry.responses),
    },
    problems: [...entries.flatMap((entry) => entry.problems), ...overlapping],
  };
}

/** Compiles entries up to the limit of problems, since a suggestion for each takes time. An entry that is not an object is skipped. */
function compileEntries(plan: readonly Json[], options: PlanOptions): readonly CompiledEntry[] {
  const entries: CompiledEntry[] = [];
  let problems = 0;
  for (const [index, entry] of plan.entries()) {
    const here = { ...options, path: [...options.path, index] };
    if (problems >= problemsMax)
      return [...entries, invalid(here, "and later entries were not checked", "Correct the entries before it first.")];
    if (!isJsonObject(entry)) continue;
    const compiled = compileEntry(entry, here);
    problems += compiled.problems.length;
    entries.push(compiled);
  }
  return entries;
}

/** Problems of contracts with overlapping reassignments. */
function overlaps(timed: readonly TimedEvent[], options: PlanOptions): readonly Problem[] {
  const inFlight = new Set<string>();
  return timed.flatMap(({ change }) => {
    if (change.type === "reassignment-completed") inFlight.delete(change.contract);
    if (change.type !== "reassignment-begun") return [];
    const isTwice = inFlight.has(change.contract);
    inFlight.add(change.contract);
    const problem = `reassigns ${change.contract} while it is being reassigned`;
    return isTwice ? [problemIn(options, problem, "End one reassignment (for) before the next begins.")] : [];
  });
}

const whens = ["at", "on", "nth", "every", "times", "match"];

function compileEntry(entry: JsonObject, options: PlanOptions): CompiledEntry {
  const actions = Object.keys(entry).filter((member) => !whens.includes(member));
  if (actions.length > 1)
    return invalid(options, `has several actions: ${actions.join(", ")}`, "Use one entry per action.");
  if (isResponse(entry)) return onResponse(entry, options);
  const found = changesOf(entry, options);
  if (found.type === "unknown") return nothing;
  if (found.type === "invalid") return { ...nothing, problems: [found.problem] };
  const isTimed = entry["at"] !== undefined;
  const misused = [...(isTimed ? ["nth"] : []), "every", "times", "match"].find(
    (member) => entry[member] !== undefined,
  );
  if (misused !== undefined)
    return invalid(
      options,
      `has ${misused}, which does not apply to a change ${isTimed ? "at a time" : "before a call"}`,
      "A change takes at, or on and nth. Only a response takes every, times and match.",
    );
  if (isTimed === (entry["on"] !== undefined))
    return invalid(
      options,
      "needs either at or on",
      "Give a time (at: PT30S) or an operation (on: getTransferFactory).",
    );
  const reassign = objectOf(entry["reassign"]);
  const misplaced = isTimed ? "forCalls" : "for";
  if (reassign[misplaced] !== undefined)
    return invalid(
      options,
      `has ${misplaced}, which cannot be combined with ${isTimed ? "at" : "on"}`,
      "Use at with for, or on with forCalls.",
    );
  return isTimed ? atTime(entry, found.changes, options) : onCall(entry, found.changes, options);
}

function atTime(entry: JsonObject, [begin, end]: Changes, { startMs }: PlanOptions): CompiledEntry {
  const atMs = startMs + (durationMs(textOf(entry["at"])) ?? 0);
  const lastsMs = durationMs(textOf(objectOf(entry["reassign"])["for"]));
  const ending = end === undefined || lastsMs === undefined ? [] : [{ atMs: atMs + lastsMs, change: end }];
  return { ...nothing, timed: [{ atMs, change: begin }, ...ending] };
}

function onCall(entry: JsonObject, [begin, end]: Changes, options: PlanOptions): CompiledEntry {
  const operationId = textOf(entry["on"]);
  const misnamed = checkOperation(operationId, options);
  if (misnamed !== undefined) return misnamed;
  const nth = number(entry["nth"], 1);
  const forCalls = number(objectOf(entry["reassign"])["forCalls"], 0);
  const ending = end === undefined || forCalls === 0 ? [] : [{ operationId, nth: nth + forCalls, change: end }];
  return { ...nothing, calls: [{ operationId, nth, change: begin }, ...ending] };
}

function onResponse(entry: JsonObject, options: PlanOptions): CompiledEntry {
  const on = textOf(entry["on"]);
  const compiled = compileResponse(entry, stepOperations.get(on)?.api === "registry" ? "registry" : "ledger");
  return compiled.type === "compiled"
    ? { ...nothing, responses: [compiled.event] }
    : invalid(options, compiled.problem, compiled.advice);
}

function checkOperation(operationId: string, options: PlanOptions): CompiledEntry | undefined {
  if (operationIds.some((known) => known === operationId)) return undefined;
  const { problem, advice } = unknownOperation(operationId);
  return invalid(options, problem, advice);
}

type Changes = readonly [begin: WorldChange, end?: WorldChange];
type FoundChanges =
  | { readonly type: "found"; readonly changes: Changes }
  | { readonly type: "invalid"; readonly problem: Problem }
  /** The name may be defined in the part of a fixture that is not readable. */
  | { readonly type: "unknown" };

function changesOf(entry: JsonObject, options: PlanOptions): FoundChanges {
  const { ledger } = options;
  if (entry["reassign"] !== undefined) return reassignment(objectOf(entry["reassign"]), options);
  if (entry["deactivateUser"] !== undefined) return deactivation(options, textOf(entry["deactivateUser"]));
  if (entry["createUser"] !== undefined) return userCreation(objectOf(entry["createUser"]), options);
  if (entry["deleteUser"] !== undefined) return found({ type: "user-deleted", userId: textOf(entry["deleteUser"]) });
  if (entry["vetPackages"] !== undefined) return vetting(objectOf(entry["vetPackages"]), options);
  for (const [member, type] of rightsChanges)
    if (entry[member] !== undefined) {
      const { user, rights } = objectOf(entry[member]);
      const read = rightsOf(rights, options);
      return "type" in read ? read : found({ type, userId: textOf(user), rights: read });
    }
  for (const [member, type] of connections)
    if (entry[member] !== undefined)
      return synchronizer(options, textOf(entry[member]), (synchronizerId) => [{ type, synchronizerId }]);
  const party = optionalTextOf(entry["allocateParty"]);
  if (party !== undefined)
    return (
      checkParty(party, "allocates", options) ??
      found({
        type: "party-allocated",
        party: {
          id: party,
          onboardingHash: "",
          hostedBy: [ledger.participantId],
          awaiting: [],
          visibleFromMs: 0,
          identityProviderId: "",
          annotations: {},
          resourceVersion: "0",
          signingKeys: [],
          signingThreshold: 1,
        },
      })
    );
  if (entry["createPreapproval"] !== undefined) return createPreapproval(objectOf(entry["createPreapproval"]), options);
  if (entry["archivePreapproval"] !== undefined) {
    const receiver = textOf(entry["archivePreapproval"]);
    const misnamed = checkParty(receiver, "ends the pre-approval of", options);
    return misnamed ?? found({ type: "preapproval-archived", receiver });
  }
  const host = entry["authorizeHosting"];
  if (host !== undefined) {
    const [party, participantId] = [textOf(objectOf(host)["party"]), textOf(objectOf(host)["by"])];
    const misnamed = checkParty(party, "authorizes the hosting of", options);
    return misnamed ?? found({ type: "hosting-authorized", party, participantId });
  }
  if (entry["uploadPackage"] !== undefined) return upload(options, textOf(entry["uploadPackage"]));
  const advice = "Add an action such as reassign, connect, instead or fault. schemas/scenario.schema.json lists all.";
  return refused(options, "has no action", advice);
}

const connections = [
  ["connect", "synchronizer-connected"],
  ["disconnect", "synchronizer-disconnected"],
] as const;

const rightsChanges = [
  ["grantRights", "rights-granted"],
  ["revokeRights", "rights-revoked"],
] as const;

/** Rights as in a ledger fixture. */
function rightsOf(list: Json | undefined, options: PlanOptions): readonly Right[] | InvalidChanges {
  const rights = listOf(list).map(rightFrom);
  const known = rights.flatMap((right) => right ?? []);
  if (known.length === rights.length) return known;
  return refused(
    options,
    "has an unknown right",
    "Write it as in a ledger fixture: ParticipantAdmin, or { CanActAs: party }.",
  );
}

/** A user as in a ledger fixture. Nothing happens if the user exists. */
function userCreation(given: JsonObject, options: PlanOptions): FoundChanges {
  const id = textOf(given["id"]);
  if (!isIdentifier("userId", id))
    return refused(
      options,
      `creates ${JSON.stringify(id)}, which is not a valid user id`,
      "Use letters, digits and -._@.",
    );
  const read = rightsOf(given["rights"], options);
  return "type" in read ? read : found({ type: "user-created", user: userFrom(given) });
}

/** Packages are vetted on a synchronizer instead of those before. */
function vetting(given: JsonObject, options: PlanOptions): FoundChanges {
  const vetted = vettedFrom(given["packages"]);
  return synchronizer(options, textOf(given["synchronizer"]), (synchronizerId) => [
    { type: "packages-vetted", synchronizerId, vetted },
  ]);
}

type InvalidChanges = Extract<FoundChanges, { readonly type: "invalid" }>;

function checkParty(party: string, does: string, options: PlanOptions): InvalidChanges | undefined {
  if (isIdentifier("partyId", party)) return undefined;
  const problem = `${does} ${JSON.stringify(party)}, which is not a valid party id`;
  return refused(options, problem, "Write it as name::fingerprint.");
}

function refused(options: PlanOptions, problem: string, advice: string): InvalidChanges {
  return { type: "invalid", problem: problemIn(options, problem, advice) };
}

/** A name that no fixture defines. */
function dangling(kind: PlanKind, options: PlanOptions, problem: string, advice: () => string): FoundChanges {
  return options.unreadable?.has(kind) === true ? { type: "unknown" } : refused(options, problem, advice());
}

function createPreapproval(given: JsonObject, options: PlanOptions): FoundChanges {
  const [receiver, contract] = [textOf(given["receiver"]), optionalTextOf(given["contract"])];
  const featuredAppRight = optionalTextOf(given["featuredAppRight"]);
  const misnamed = checkParty(receiver, "creates the pre-approval of", options);
  if (misnamed !== undefined) return misnamed;
  const { contracts } = options.registry;
  const unknown = [contract, featuredAppRight].find((name) => name !== undefined && !contracts.has(name));
  if (unknown !== undefined) {
    const problem = `names the contract ${JSON.stringify(unknown)}, which the registry does not have`;
    return dangling("contracts", options, problem, () =>
      advise(unknown, namesIn(contracts), "The registry fixture lists all."),
    );
  }
  return found({ type: "preapproval-created", preapproval: { receiver, contract, featuredAppRight } });
}

function found(change: WorldChange): FoundChanges {
  return { type: "found", changes: [change] };
}

function reassignment(entry: JsonObject, options: PlanOptions): FoundChanges {
  const contract = textOf(entry["contract"]);
  const { contracts } = options.registry;
  if (!contracts.has(contract))
    return dangling(
      "contracts",
      options,
      `reassigns the contract ${JSON.stringify(contract)}, which the registry does not have`,
      () => advise(contract, namesIn(contracts), "The registry fixture lists all."),
    );
  return synchronizer(options, textOf(entry["to"]), (target) => [
    { type: "reassignment-begun", contract, target },
    { type: "reassignment-completed", contract },
  ]);
}

function synchronizer(options: PlanOptions, alias: string, changes: (id: string) => Changes): FoundChanges {
  const synchronizers = [...options.ledger.synchronizers.values()];
  const found = synchronizers.find((candidate) => candidate.alias === alias);
  if (found !== undefined) return { type: "found", changes: changes(found.id) };
  const aliases = synchronizers.map((candidate) => candidate.alias);
  const problem = `names the synchronizer ${JSON.stringify(alias)}, which the ledger does not have`;
  return dangling("synchronizers", options, problem, () => advise(alias, aliases, "The ledger fixture lists all."));
}

function upload(options: PlanOptions, id: string): FoundChanges {
  const known = options.ledger.packages.get(id);
  if (known === undefined)
    return dangling(
      "packages",
      options,
      `uploads the package ${JSON.stringify(id)}, which the fixture does not describe`,
      () => "Describe it under packages with uploaded: false.",
    );
  return found({ type: "package-uploaded", package: { ...known, isUploaded: true } });
}

function deactivation(options: PlanOptions, userId: string): FoundChanges {
  const { users } = options.ledger;
  if (users.has(userId)) return found({ type: "user-deactivated", userId });
  const problem = `names ${JSON.stringify(userId)}, which does not exist`;
  return dangling("users", options, problem, () => advise(userId, namesIn(users), "The fixture lists all."));
}

/** All names of a table; takes long for a large one, so it serves only the advice on a problem. */
function namesIn(table: Table<unknown>): readonly string[] {
  return [...table.entries()].map(([name]) => name);
}

function invalid(options: PlanOptions, problem: string, advice: string): CompiledEntry {
  return { ...nothing, problems: [problemIn(options, problem, advice)] };
}

function problemIn({ source, path }: PlanOptions, problem: string, advice: string): Problem {
  return problemAt(source, path, `${pathText(source, path)} ${problem}`, advice);
}
