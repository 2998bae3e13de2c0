import type { JsonObject } from "../../foundation/json/json.ts";
import { objectOf, objectsOf, textOf, withoutUndefined } from "../../foundation/json/members.ts";
import { type Call, causeOf } from "./call.ts";
import { EnabledFeatures } from "./enabled-features.ts";
import { SeenExecutions } from "./executions.ts";
import { SeenHostings } from "./hostings.ts";
import { SeenProviders } from "./identity-providers.ts";
import { SeenPackages } from "./packages.ts";
import { SeenParties, withDeclaredParties } from "./parties.ts";
import { ProfileDetector } from "./profile-detector.ts";
import { SeenReassignments } from "./reassignments.ts";
import { lookupOperations, SeenRegistry } from "./registry.ts";
import { SeenSynchronizers } from "./synchronizers.ts";
import { Timeline } from "./timeline.ts";
import { SeenUsers } from "./users.ts";

/** A comment on a value that no response shows, with the path of the value in the file. */
export interface Remark {
  readonly path: readonly (string | number)[];
  readonly text: string;
}

export interface InferredFixture {
  readonly value: JsonObject;
  readonly remarks: readonly Remark[];
}

/** The state of the world before the recorded requests, inferred from the recording. */
export interface InferredInitialState {
  readonly ledger: InferredFixture;
  readonly registry: InferredFixture;
  /** Changes that no request caused, as entries of a plan. */
  readonly plan: readonly JsonObject[];
  readonly startMs: number;
  /** Milliseconds to advance the clock before a call, by place of the call. */
  readonly clockAdvances: ReadonlyMap<number, number>;
  /** Parts of the recording that a fixture cannot express. */
  readonly notExpressible: readonly string[];
}

const unknownParticipant = "participant::12200000000000000000000000000000000000000000000000000000000000000001";
const unknownAdmin = "registry-admin::12200000000000000000000000000000000000000000000000000000000000000001";

/** Collects the state of each entity from the calls of a recording. Stores no calls. */
export class Observations {
  readonly #users = new SeenUsers();
  readonly #parties = new SeenParties();
  readonly #hostings = new SeenHostings();
  readonly #packages = new SeenPackages();
  readonly #synchronizers = new SeenSynchronizers(this.#packages);
  readonly #providers = new SeenProviders();
  readonly #timeline = new Timeline();
  readonly #executions = new SeenExecutions(this.#timeline);
  readonly #reassignments = new SeenReassignments(this.#synchronizers);
  readonly #registry = new SeenRegistry(this.#reassignments, this.#timeline);
  readonly #profileDetector = new ProfileDetector();
  readonly #enabledFeatures = new EnabledFeatures();
  readonly #counts = new Map<string, number>();
  /** Identity providers in successful requests. */
  readonly #named = new Set<string>();
  readonly #limits = new Map<string, JsonObject[string]>();

  note(call: Call): void {
    const { operationId } = call.operation;
    const nth = (this.#counts.get(operationId) ?? 0) + 1;
    this.#counts.set(operationId, nth);
    this.#timeline.note(call);
    this.#profileDetector.note(call);
    this.#enabledFeatures.note(call);
    this.#users.note(call);
    this.#parties.note(call);
    this.#hostings.note(call, nth);
    this.#packages.note(call, nth);
    this.#synchronizers.note(call, nth);
    this.#providers.note(call);
    this.#executions.note(call);
    this.#registry.note(call, nth);
    this.#reassignments.note(call, nth, lookupOperations.has(operationId));
    this.#noteAcross(call);
  }

  /** The profiles that match the responses, the likeliest first. */
  get profiles(): readonly string[] {
    return this.#profileDetector.candidates;
  }

  /** Whether a lookup succeeded. Without one the registry fixture has only placeholders. */
  get hasLookup(): boolean {
    return this.#registry.factory.contractId !== "";
  }

  initialState(profile: string): InferredInitialState {
    const { startMs, clockAdvances } = this.#timeline;
    const isGenerated = this.#executions.needsSynchronizer && this.#synchronizers.ensureOne();
    for (const submitter of this.#executions.submitters) this.#parties.mention(submitter);
    const parties = this.#parties.rows();
    const ids = parties.map(({ id }) => textOf(id));
    const { approved, ...declared } = this.#executions.rows(this.#registry.approvedMeanwhile(), ids);
    const plan = [
      ...this.#synchronizers.plan(),
      ...this.#packages.plan(),
      ...this.#hostings.plan(this.#parties.participantId),
      ...this.#registry.plan(approved),
      ...this.#reassignments.plan(this.#registry.factory),
    ];
    const ledger = this.#ledger(profile, parties, isGenerated);
    const registry = this.#registryFixture(declared, startMs, approved);
    return {
      ledger: { ...ledger, value: withDeclaredParties(ledger.value, registry.value, plan) },
      registry,
      plan,
      startMs,
      clockAdvances,
      notExpressible: this.#registry.notExpressible,
    };
  }

  /** Notes the effects of a call on several kinds of entities. */
  #noteAcross(call: Call): void {
    const { operation, status, body, response } = call;
    const userId = textOf(objectOf(body)["userId"]);
    if (operation.operationId === "postV2PartiesExternalAllocate" && hasFoundUser(call)) this.#users.mustExist(userId);
    if (status !== 200 && call.errorCode !== "USER_ALREADY_EXISTS") return;
    for (const member of [objectOf(body), objectOf(objectOf(body)["user"])])
      if (textOf(member["identityProviderId"]) !== "") this.#named.add(textOf(member["identityProviderId"]));
    switch (operation.operationId) {
      case "postV2Parties":
      case "postV2PartiesExternalAllocate": {
        const party =
          textOf(objectOf(response)["partyId"]) || textOf(objectOf(objectOf(response)["partyDetails"])["party"]);
        this.#users.noteGranted(userId, { kind: { CanActAs: { value: { party } } } });
        return;
      }
      case "postV2UsersUser-idRights":
      case "postV2Users":
        for (const right of objectsOf(objectOf(body)["rights"]))
          for (const wrapper of Object.values(objectOf(right["kind"])))
            this.#parties.mention(textOf(objectOf(objectOf(wrapper)["value"])["party"]));
        return;
      case "postV2Package-vetting":
      case "postV2Package-vettingUpdate":
      case "postPackage-vettingUpdate":
        this.#parties.noteParticipant(textOf(objectOf(objectOf(response)["newVettedPackages"])["participantId"]));
        return;
      case "getV2Package-vetting":
      case "postV2Package-vettingList":
        for (const shown of objectsOf(objectOf(response)["vettedPackages"]))
          this.#parties.noteParticipant(textOf(shown["participantId"]));
        return;
      case "getV2Version":
        this.#noteLimits(objectOf(objectOf(response)["features"]));
        return;
      default:
    }
  }

  /** The identity providers that responses show, or that manage users or parties. */
  #providerRows(): readonly JsonObject[] {
    const managing = new Set([...this.#users.providers, ...this.#parties.providers, ...this.#named]);
    const rows = this.#providers.rows(managing);
    return rows.length === 0 && this.#users.hasForeign ? this.#providers.rows(["another-provider"]) : rows;
  }

  #noteLimits(features: JsonObject): void {
    const users = objectOf(features["userManagement"]);
    const shown = {
      rightsPerUserMax: users["maxRightsPerUser"],
      usersPageSizeMax: users["maxUsersPageSize"],
      partiesPageSizeMax: objectOf(features["partyManagement"])["maxPartiesPageSize"],
    };
    for (const [name, limit] of Object.entries(shown))
      if (typeof limit === "number" && limit > 0 && limit !== limitDefault) this.#limits.set(name, limit);
  }

  #ledger(profile: string, parties: readonly JsonObject[], isSynchronizerGenerated: boolean): InferredFixture {
    const remarks: Remark[] = [];
    if (isSynchronizerGenerated) remarks.push({ path: ["synchronizers"], text: "Generated: no response names one." });
    const providers = [...this.#providerRows()];
    const users = [...this.#users.rows(textOf(providers[0]?.["id"]))];
    if (profile === "spec")
      for (const lastId of this.#users.unfinished) {
        const id = userAfter(lastId);
        remarks.push({ path: ["users", users.length], text: `Placeholder for the users after ${lastId}.` });
        users.push({ id });
      }
    if (providers.length === 0 && profile === "spec") {
      providers.push({
        id: "provider",
        issuer: "https://login.example.com",
        jwksUrl: "https://login.example.com/jwks",
      });
      remarks.push({
        path: ["identityProviders"],
        text: "Generated: no response shows one, and the spec requires one.",
      });
    }
    const { participantId } = this.#parties;
    if (participantId === "") remarks.push({ path: ["participantId"], text: "Generated: no response shows it." });
    const packages = this.#packages.rows();
    const { ledgerEnd } = this.#executions;
    const limits = { ...Object.fromEntries(this.#limits), ...this.#users.limits() };
    const value = withoutUndefined({
      participantId: participantId || unknownParticipant,
      ledgerEnd: ledgerEnd === 0n ? undefined : ledgerEnd > exactMax ? ledgerEnd.toString() : Number(ledgerEnd),
      deprecatedFeatures: this.#enabledFeatures.rowsIn(profile),
      limits: Object.keys(limits).length === 0 ? undefined : limits,
      synchronizers: rowsOrNone(this.#synchronizers.rows()),
      identityProviders: rowsOrNone(providers),
      parties: rowsOrNone(parties),
      packages: rowsOrNone(packages),
      users: rowsOrNone(users),
    });
    return { value, remarks };
  }

  #registryFixture(
    { preparedTransactions, holdings }: Readonly<Record<"preparedTransactions" | "holdings", readonly JsonObject[]>>,
    startMs: number,
    approved: readonly string[],
  ): InferredFixture {
    const more = withoutUndefined({
      holdings: rowsOrNone(holdings),
      preparedTransactions: rowsOrNone(preparedTransactions),
    });
    const inferred = this.#registry.fixture(more, startMs, approved);
    const isAdminKnown = inferred["admin"] !== undefined;
    const remarks = [
      ...(isAdminKnown ? [] : [{ path: ["admin"], text: "Generated: no response shows the registry's admin." }]),
      ...(this.hasLookup ? [] : [{ path: ["factory"], text: "No lookup succeeded: there is no factory contract." }]),
      ...(preparedTransactions.length === 0
        ? []
        : [{ path: ["preparedTransactions"], text: "Not decodable: the effects are inferred." }]),
    ];
    return { value: isAdminKnown ? inferred : { admin: unknownAdmin, ...inferred }, remarks };
  }
}

const limitDefault = 1000;
const exactMax = BigInt(Number.MAX_SAFE_INTEGER);

function rowsOrNone(rows: readonly JsonObject[]): readonly JsonObject[] | undefined {
  return rows.length === 0 ? undefined : rows;
}

/** Whether an allocation was refused after its user was found: because of its signatures, or because the party exists. */
function hasFoundUser(call: Call): boolean {
  return call.status === 400 && /already exists|authorization|signature verification/i.test(causeOf(call));
}

/** An id that sorts after another. */
function userAfter(lastId: string): string {
  const found = ["participant_admin", "user-of-a-later-page", "zz-user-of-a-later-page"].find((id) => id > lastId);
  return found ?? `${lastId}-next`;
}
