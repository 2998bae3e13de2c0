import type { Json, JsonObject } from "../../foundation/json/json.ts";
import { isIdentifier } from "../../foundation/spec/identifiers.ts";
import { durationMs } from "../../foundation/text/duration.ts";
import { advise } from "../../foundation/text/suggestion.ts";
import type { LedgerState } from "../../simulator/ledger/ledger-state.ts";
import type { RegistryState } from "../../simulator/registry/registry-state.ts";
import type { AnswerEvent, CallEvent, Plan, TimedEvent, WorldChange } from "../../simulator/world/plan.ts";
import { number, object, objects, optional, string } from "./_reader.ts";
import { compileAnswer, isAnswer } from "./compile-response.ts";
import { type Mistake, mistakesMax } from "./problem.ts";
import type { SourceFile } from "./read-yaml.ts";

/** What a plan is compiled against. */
export interface PlanSetting {
  readonly source: SourceFile;
  /** Where the plan stands in the file. */
  readonly path: readonly (string | number)[];
  readonly startMs: number;
  readonly ledger: LedgerState;
  readonly registry: RegistryState;
  readonly operationIds: readonly string[];
  readonly registryOperationIds: readonly string[];
}

interface CompiledEntry {
  readonly timed: readonly TimedEvent[];
  readonly calls: readonly CallEvent[];
  readonly answers: readonly AnswerEvent[];
  readonly mistakes: readonly Mistake[];
}

const nothing: CompiledEntry = { timed: [], calls: [], answers: [], mistakes: [] };

/** The events of a plan, in order of time; and every mistake in it. */
export function compilePlan(
  plan: Json | undefined,
  setting: PlanSetting,
): { readonly plan: Omit<Plan, "expected">; readonly mistakes: readonly Mistake[] } {
  const entries = compileEntries(objects(plan), setting);
  const timed = entries.flatMap((entry) => entry.timed).sort((left, right) => left.atMs - right.atMs);
  const overlapping = overlaps(timed, setting);
  return {
    plan: {
      timed,
      calls: entries.flatMap((entry) => entry.calls),
      answers: entries.flatMap((entry) => entry.answers),
    },
    mistakes: [...entries.flatMap((entry) => entry.mistakes), ...overlapping],
  };
}

/** Entries are compiled until so many have mistakes that nobody wants more: saying what was meant takes time for each. */
function compileEntries(plan: readonly JsonObject[], setting: PlanSetting): readonly CompiledEntry[] {
  const entries: CompiledEntry[] = [];
  let mistakes = 0;
  for (const [index, entry] of plan.entries()) {
    const here = { ...setting, path: [...setting.path, index] };
    if (mistakes >= mistakesMax)
      return [...entries, mistaken(here, "and what follows is not looked at", "Correct those before it first.")];
    const compiled = compileEntry(entry, here);
    mistakes += compiled.mistakes.length;
    entries.push(compiled);
  }
  return entries;
}

/** A contract is reassigned once at a time. */
function overlaps(timed: readonly TimedEvent[], setting: PlanSetting): readonly Mistake[] {
  const inFlight = new Set<string>();
  return timed.flatMap(({ change }) => {
    if (change.type === "reassignment-completed") inFlight.delete(change.contract);
    if (change.type !== "reassignment-begun") return [];
    const isTwice = inFlight.has(change.contract);
    inFlight.add(change.contract);
    const problem = `reassigns ${change.contract} while it is being reassigned`;
    return isTwice ? [mistakeAt(setting, problem, "Let one window end (for) before the next begins.")] : [];
  });
}

const whens = ["at", "on", "nth", "times", "match"];

function compileEntry(entry: JsonObject, setting: PlanSetting): CompiledEntry {
  const actions = Object.keys(entry).filter((member) => !whens.includes(member));
  if (actions.length > 1)
    return mistaken(setting, `does several things at once: ${actions.join(", ")}`, "Give each an entry of its own.");
  if (isAnswer(entry)) return onAnswer(entry, setting);
  const found = changesOf(entry, setting);
  if (found.type === "mistaken") return { ...nothing, mistakes: [found.mistake] };
  const isTimed = entry["at"] !== undefined;
  const misused = [...(isTimed ? ["nth"] : []), "times", "match"].find((member) => entry[member] !== undefined);
  if (misused !== undefined)
    return mistaken(
      setting,
      `says ${misused}, which a change ${isTimed ? "at a time" : "before a call"} has not`,
      "A change goes with at, or with on and nth; times and match go with an answer.",
    );
  if (isTimed === (entry["on"] !== undefined))
    return mistaken(
      setting,
      "has to say either at or on",
      "Give a time (at: PT30S) or an operation (on: getTransferFactory).",
    );
  const reassign = object(entry["reassign"]);
  const misplaced = isTimed ? "forCalls" : "for";
  if (reassign[misplaced] !== undefined)
    return mistaken(
      setting,
      `says ${misplaced}, which does not go with ${isTimed ? "at" : "on"}`,
      "A window of time has at and for, a window of calls on and forCalls.",
    );
  return isTimed ? atTime(entry, found.changes, setting) : onCall(entry, found.changes, setting);
}

function atTime(entry: JsonObject, [begin, end]: Changes, { startMs }: PlanSetting): CompiledEntry {
  const atMs = startMs + (durationMs(string(entry["at"], "")) ?? 0);
  const lastsMs = durationMs(string(object(entry["reassign"])["for"], ""));
  const ending = end === undefined || lastsMs === undefined ? [] : [{ atMs: atMs + lastsMs, change: end }];
  return { ...nothing, timed: [{ atMs, change: begin }, ...ending] };
}

function onCall(entry: JsonObject, [begin, end]: Changes, setting: PlanSetting): CompiledEntry {
  const operationId = string(entry["on"], "");
  const misnamed = checkOperation(operationId, setting);
  if (misnamed !== undefined) return misnamed;
  const nth = number(entry["nth"], 1);
  const forCalls = number(object(entry["reassign"])["forCalls"], 0);
  const ending = end === undefined || forCalls === 0 ? [] : [{ operationId, nth: nth + forCalls, change: end }];
  return { ...nothing, calls: [{ operationId, nth, change: begin }, ...ending] };
}

function onAnswer(entry: JsonObject, setting: PlanSetting): CompiledEntry {
  const misnamed = checkOperation(string(entry["on"], ""), setting);
  if (misnamed !== undefined) return misnamed;
  const compiled = compileAnswer(
    entry,
    setting.registryOperationIds.includes(string(entry["on"], "")) ? "registry" : "ledger",
  );
  return compiled.type === "compiled"
    ? { ...nothing, answers: [compiled.event] }
    : mistaken(setting, compiled.problem, compiled.advice);
}

function checkOperation(operationId: string, setting: PlanSetting): CompiledEntry | undefined {
  if (setting.operationIds.includes(operationId)) return undefined;
  return mistaken(
    setting,
    `names the operation ${JSON.stringify(operationId)}, which is not in the contract`,
    advise(operationId, setting.operationIds),
  );
}

type Changes = readonly [begin: WorldChange, end?: WorldChange];
type FoundChanges =
  | { readonly type: "found"; readonly changes: Changes }
  | { readonly type: "mistaken"; readonly mistake: Mistake };

function changesOf(entry: JsonObject, setting: PlanSetting): FoundChanges {
  const { ledger } = setting;
  if (entry["reassign"] !== undefined) return reassignment(object(entry["reassign"]), setting);
  if (entry["deactivateUser"] !== undefined)
    return known(
      setting,
      string(entry["deactivateUser"], ""),
      [...ledger.users.entries()].map(([id]) => id),
      (userId) => ({ type: "user-deactivated", userId }),
    );
  if (entry["connect"] !== undefined)
    return synchronizer(setting, string(entry["connect"], ""), (synchronizerId) => [
      { type: "synchronizer-connected", synchronizerId },
    ]);
  if (entry["disconnect"] !== undefined)
    return synchronizer(setting, string(entry["disconnect"], ""), (synchronizerId) => [
      { type: "synchronizer-disconnected", synchronizerId },
    ]);
  const party = optional(entry, "allocateParty");
  if (party !== undefined)
    return (
      checkParty(party, "allocates", setting) ??
      found({
        type: "party-allocated",
        party: {
          id: party,
          hostedBy: [ledger.participantId],
          awaiting: [],
          visibleFromMs: 0,
          identityProviderId: "",
          signingKeys: [],
          signingThreshold: 1,
        },
      })
    );
  if (entry["createPreapproval"] !== undefined) return createPreapproval(object(entry["createPreapproval"]), setting);
  if (entry["archivePreapproval"] !== undefined) {
    const receiver = string(entry["archivePreapproval"], "");
    const misnamed = checkParty(receiver, "ends the pre-approval of", setting);
    return misnamed ?? found({ type: "preapproval-archived", receiver });
  }
  const host = entry["authorizeHosting"];
  if (host !== undefined) {
    const [party, participantId] = [string(object(host)["party"], ""), string(object(host)["by"], "")];
    const misnamed = checkParty(party, "authorizes the hosting of", setting);
    return misnamed ?? found({ type: "hosting-authorized", party, participantId });
  }
  if (entry["uploadPackage"] !== undefined) return upload(setting, string(entry["uploadPackage"], ""));
  return {
    type: "mistaken",
    mistake: mistakeAt(
      setting,
      "says when, but not what happens",
      "Add reassign, deactivateUser, connect, disconnect, allocateParty, uploadPackage, createPreapproval, archivePreapproval, authorizeHosting, instead, after or fault.",
    ),
  };
}

type MistakenChanges = Extract<FoundChanges, { readonly type: "mistaken" }>;

function checkParty(party: string, does: string, setting: PlanSetting): MistakenChanges | undefined {
  if (isIdentifier("partyId", party)) return undefined;
  const problem = `${does} ${JSON.stringify(party)}, which is no party`;
  return { type: "mistaken", mistake: mistakeAt(setting, problem, "Write it as name::fingerprint.") };
}

function createPreapproval(given: JsonObject, setting: PlanSetting): FoundChanges {
  const [receiver, contract] = [string(given["receiver"], ""), optional(given, "contract")];
  const featuredAppRight = optional(given, "featuredAppRight");
  const misnamed = checkParty(receiver, "creates the pre-approval of", setting);
  if (misnamed !== undefined) return misnamed;
  const names = [...setting.registry.contracts.entries()].map(([name]) => name);
  const unknown = [contract, featuredAppRight].find((name) => name !== undefined && !names.includes(name));
  if (unknown !== undefined) {
    const problem = `names the contract ${JSON.stringify(unknown)}, which the registry does not have`;
    return { type: "mistaken", mistake: mistakeAt(setting, problem, advise(unknown, names)) };
  }
  return found({ type: "preapproval-created", preapproval: { receiver, contract, featuredAppRight } });
}

function found(change: WorldChange): FoundChanges {
  return { type: "found", changes: [change] };
}

function reassignment(entry: JsonObject, setting: PlanSetting): FoundChanges {
  const contract = string(entry["contract"], "");
  const names = [...setting.registry.contracts.entries()].map(([name]) => name);
  if (!names.includes(contract))
    return {
      type: "mistaken",
      mistake: mistakeAt(
        setting,
        `reassigns the contract ${JSON.stringify(contract)}, which the registry does not have`,
        advise(contract, names),
      ),
    };
  return synchronizer(setting, string(entry["to"], ""), (target) => [
    { type: "reassignment-begun", contract, target },
    { type: "reassignment-completed", contract },
  ]);
}

function synchronizer(setting: PlanSetting, alias: string, changes: (id: string) => Changes): FoundChanges {
  const synchronizers = [...setting.ledger.synchronizers.values()];
  const found = synchronizers.find((candidate) => candidate.alias === alias);
  if (found !== undefined) return { type: "found", changes: changes(found.id) };
  return {
    type: "mistaken",
    mistake: mistakeAt(
      setting,
      `names the synchronizer ${JSON.stringify(alias)}, which the ledger does not have`,
      advise(
        alias,
        synchronizers.map((candidate) => candidate.alias),
      ),
    ),
  };
}

function upload(setting: PlanSetting, id: string): FoundChanges {
  const found = setting.ledger.packages.get(id);
  if (found === undefined)
    return {
      type: "mistaken",
      mistake: mistakeAt(
        setting,
        `uploads the package ${JSON.stringify(id)}, which the fixture does not describe`,
        "Describe it under packages with uploaded: false.",
      ),
    };
  return { type: "found", changes: [{ type: "package-uploaded", package: { ...found, isUploaded: true } }] };
}

function known(
  setting: PlanSetting,
  name: string,
  names: readonly string[],
  change: (name: string) => WorldChange,
): FoundChanges {
  if (names.includes(name)) return { type: "found", changes: [change(name)] };
  return {
    type: "mistaken",
    mistake: mistakeAt(setting, `names ${JSON.stringify(name)}, which is not there`, advise(name, names)),
  };
}

function mistaken(setting: PlanSetting, problem: string, advice: string): CompiledEntry {
  return { ...nothing, mistakes: [mistakeAt(setting, problem, advice)] };
}

function mistakeAt({ source, path }: PlanSetting, problem: string, advice: string): Mistake {
  return { file: source.name, line: source.lineOf(path), problem: `${path.slice(-2).join(".")} ${problem}`, advice };
}
