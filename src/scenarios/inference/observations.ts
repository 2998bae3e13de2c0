import type { JsonObject } from "../../foundation/json/json.ts";
import { objectOf, objectsOf, textOf, withoutUndefined } from "../../foundation/json/members.ts";
import { contracts } from "../../foundation/spec/contracts.ts";
import { disabledPart, isServed } from "../../foundation/spec/disabled-part.ts";
import { durationMs } from "../../foundation/text/duration.ts";
import { activeIn, createdIn } from "./active-contracts.ts";
import { SeenExecutions } from "./executions.ts";
import { SeenProviders } from "./identity-providers.ts";
import { SeenPackages } from "./packages.ts";
import { SeenParties, withDeclaredParties } from "./parties.ts";
import { ProfileDetector } from "./profile-detector.ts";
import type { RecordedCall } from "./recorded-call.ts";
import { SeenRegistry } from "./registry.ts";
import { SeenSynchronizers } from "./synchronizers.ts";
import { SeenUsers } from "./users.ts";

/** The state of the world before the recorded requests, as responses show it. */
export interface InferredInitialState {
  readonly ledger: JsonObject;
  readonly registry: JsonObject;
  readonly startMs: number;
  /** Parts of the recording that a fixture cannot express. */
  readonly notExpressible: readonly string[];
}

const unknownParticipant = "participant::12200000000000000000000000000000000000000000000000000000000000000001";
const unknownAdmin = "registry-admin::12200000000000000000000000000000000000000000000000000000000000000001";
/** The spec requires an identity provider. */
const unknownProvider = "provider";
const limitDefault = 1000;

/** Collects the state of each entity from the calls of a recording. Stores no calls. */
export class Observations {
  readonly #users = new SeenUsers();
  readonly #parties = new SeenParties();
  readonly #packages = new SeenPackages();
  readonly #synchronizers = new SeenSynchronizers(this.#packages);
  readonly #providers = new SeenProviders();
  readonly #executions = new SeenExecutions();
  readonly #registry = new SeenRegistry(this.#synchronizers);
  readonly #start = new StartOfClock();
  readonly #profileDetector = new ProfileDetector();
  readonly #enabledFeatures = new EnabledFeatures();
  /** Identity providers in successful requests. */
  readonly #managing = new Set<string>();
  #hasExecuted = false;
  readonly #limits = new Map<string, number>();

  note(call: RecordedCall): void {
    this.#start.note(call);
    this.#profileDetector.note(call);
    this.#enabledFeatures.note(call);
    this.#users.note(call);
    this.#parties.note(call);
    this.#packages.note(call);
    this.#synchronizers.note(call);
    this.#providers.note(call);
    this.#registry.note(call);
    const submitters = this.#executions.note(call);
    for (const submitter of submitters ?? []) this.#parties.mention(submitter);
    this.#hasExecuted ||= submitters !== undefined;
    if (call.status === 200) this.#noteAcross(call);
  }

  /** Notes a list of active contracts of a node that no request of the recording has changed. */
  noteActive({ response }: RecordedCall): void {
    for (const entry of activeIn(response)) {
      this.#packages.noteContract(createdIn(entry));
      this.#registry.noteActive(entry);
    }
  }

  /** The profiles that match the responses, the likeliest first. */
  get profiles(): readonly string[] {
    return this.#profileDetector.candidates;
  }

  /** Whether a lookup succeeded. Without one the registry fixture has only placeholders. */
  get hasLookup(): boolean {
    return this.#registry.hasLookup;
  }

  /** Values that no response shows, and for which the fixtures have placeholders. */
  get placeholders(): readonly string[] {
    const [packages, parties] = [this.#packages.unnamed, this.#parties.remote];
    return [
      ...(packages === 0 ? [] : [`versions of packages that are not vetted (${packages})`]),
      ...(parties === 0 ? [] : [`hosts of parties of other participants (${parties})`]),
    ];
  }

  initialState(profile: string): InferredInitialState {
    const registry = { admin: unknownAdmin, ...this.#registry.fixture() };
    return {
      ledger: withDeclaredParties(this.#ledger(profile), registry),
      registry,
      startMs: this.#start.ms,
      notExpressible: this.#registry.notExpressible,
    };
  }

  /** Notes the effects of a successful call on several kinds of entities. */
  #noteAcross({ operation, body, response }: RecordedCall): void {
    const [given, shown] = [objectOf(body), objectOf(response)];
    for (const member of [given, objectOf(given["user"])]) this.#managing.add(textOf(member["identityProviderId"]));
    switch (operation.operationId) {
      case "postV2Parties":
      case "postV2PartiesExternalAllocate": {
        const party = textOf(shown["partyId"]) || textOf(objectOf(shown["partyDetails"])["party"]);
        this.#users.noteChanged(textOf(given["userId"]), { kind: { CanActAs: { value: { party } } } });
        return;
      }
      case "postV2UsersUser-idRights":
      case "postV2Users":
        for (const right of objectsOf(given["rights"]))
          for (const wrapper of Object.values(objectOf(right["kind"])))
            this.#parties.mention(textOf(objectOf(objectOf(wrapper)["value"])["party"]));
        return;
      case "postV2Package-vetting":
      case "postV2Package-vettingUpdate":
      case "postPackage-vettingUpdate":
        this.#parties.noteParticipant(textOf(objectOf(shown["newVettedPackages"])["participantId"]));
        return;
      case "getV2Package-vetting":
      case "postV2Package-vettingList":
        for (const { participantId } of objectsOf(shown["vettedPackages"]))
          this.#parties.noteParticipant(textOf(participantId));
        return;
      case "getV2Version":
        this.#noteLimits(objectOf(shown["features"]));
        return;
      default:
    }
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

  #ledger(profile: string): JsonObject {
    const [users, parties] = [this.#users.rows(), this.#parties.rows()];
    const managing = [...users, ...parties].map(({ identityProviderId }) => textOf(identityProviderId));
    const shown = this.#providers.rows([...this.#managing, ...managing]);
    const isOneMissing = shown.length === 0 && profile === "spec";
    return withoutUndefined({
      participantId: this.#parties.participantId || unknownParticipant,
      ledgerEnd: this.#executions.ledgerEnd,
      deprecatedFeatures: this.#enabledFeatures.rowsIn(profile),
      limits: this.#limits.size === 0 ? undefined : Object.fromEntries(this.#limits),
      synchronizers: rowsOrNone(this.#synchronizers.rows(this.#hasExecuted)),
      identityProviders: rowsOrNone(isOneMissing ? new SeenProviders().rows([unknownProvider]) : shown),
      parties: rowsOrNone(parties),
      packages: rowsOrNone(this.#packages.rows()),
      users: rowsOrNone(users),
    });
  }
}

function rowsOrNone(rows: readonly JsonObject[]): readonly JsonObject[] | undefined {
  return rows.length === 0 ? undefined : rows;
}

const features = contracts.profiles.flatMap(({ disables = [] }) => disables);

/** The deprecated features that a node has enabled: those whose requests it serves. */
class EnabledFeatures {
  readonly #names = new Set<string>();

  note({ exchange, operation, status, errorCode, body }: RecordedCall): void {
    if (operation.api !== "ledger" || !isServed(status, errorCode)) return;
    const request = `${exchange.request.method} ${operation.path}`;
    for (const feature of features)
      if (disabledPart(feature, request, () => body) !== undefined) this.#names.add(feature.feature);
  }

  /** The enabled features that a profile disables, as in a fixture; undefined without one. */
  rowsIn(profile: string): JsonObject | undefined {
    const disabled = contracts.profiles.find(({ name }) => name === profile)?.disables ?? [];
    const enabled = disabled.filter(({ feature }) => this.#names.has(feature));
    return enabled.length === 0 ? undefined : Object.fromEntries(enabled.map(({ feature }) => [feature, true]));
  }
}

const secondMs = 1000;
const startDefaultMs = Date.parse("2026-01-01T00:00:00Z");

/** The start of virtual time: as a control API shows it, else the start of the recording. */
class StartOfClock {
  #advancedMs = 0;
  #shownMs: number | undefined;
  #recordedMs: number | undefined;

  note({ exchange, operation, status, response, body }: RecordedCall): void {
    this.#recordedMs ??= Date.parse(exchange.startedAt);
    if (operation.api !== "control" || status !== 200) return;
    if (operation.operationId === "advanceClock") this.#advancedMs += durationMs(textOf(objectOf(body)["by"])) ?? 0;
    const nowMs = Date.parse(textOf(objectOf(response)["now"]));
    if (!Number.isNaN(nowMs)) this.#shownMs ??= nowMs - this.#advancedMs;
  }

  get ms(): number {
    const recordedMs = this.#recordedMs ?? 0;
    return this.#shownMs ?? (recordedMs > 0 ? Math.floor(recordedMs / secondMs) * secondMs : startDefaultMs);
  }
}
