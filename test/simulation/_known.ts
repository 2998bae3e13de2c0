import type { ExchangeContext, TokenKind } from "../../src/checker/rules/rule.ts";
import type { Request } from "../../src/foundation/http/request.ts";
import { isJsonObject, type Json, jsonOf } from "../../src/foundation/json/json.ts";
import { valueAt } from "../../src/foundation/spec/operation.ts";
import type { RegistryState } from "../../src/simulator/registry/registry-state.ts";
import type { WorldState } from "../../src/simulator/world/world-state.ts";
import type { AuthenticationMode } from "../../src/stub/pipeline/claims.ts";
import type { Call } from "./_event.ts";

type Assigned = Pick<ExchangeContext, "assigned" | "contractsInFlight">;

/** Gives the checker the state of the world that requests do not show. */
export class Insight {
  readonly #assigned = new WeakMap<RegistryState["contracts"], Assigned>();
  readonly #authentication: AuthenticationMode;

  constructor(authentication: AuthenticationMode) {
    this.#authentication = authentication;
  }

  /** `state` is the world that the request met. */
  knownOf(call: Call, request: Request, state: WorldState): ExchangeContext {
    const token = call.mangled.length > 0 && this.#authentication !== "none" ? undefined : this.#worthOf(call, state);
    const isLookup = call.step.operationId === "getTransferFactory";
    return {
      ...(token === undefined ? {} : { token }),
      ...(isLookup ? { ...this.#assignedIn(state), ...preapproved(jsonOf(request.body.text()), state) } : {}),
      connectedSynchronizers: [...state.ledger.synchronizers.values()].flatMap(({ id, isConnected }) =>
        isConnected ? [id] : [],
      ),
    };
  }

  #worthOf({ step }: Call, { ledger }: WorldState): TokenKind | undefined {
    const mode = this.#authentication;
    // Without authentication every caller is an administrator, whatever the header.
    if (mode === "none") return "administrator";
    if (step.token === "empty") return undefined;
    if (step.token === "none") return "none";
    if (mode === "bearer") return "administrator";
    const administrator = ledger.users.get("participant_admin");
    const isWorth = administrator?.rights.has("ParticipantAdmin") === true && !administrator.isDeactivated;
    return step.token === "administrator" && isWorth ? "administrator" : undefined;
  }

  #assignedIn({ registry: { contracts } }: WorldState): Assigned {
    const found = this.#assigned.get(contracts);
    if (found !== undefined) return found;
    const rows = [...contracts.values()];
    const assigned = rows.flatMap(({ contractId, assignment }) =>
      assignment.type === "assigned" ? [[contractId, assignment.synchronizerId] as const] : [],
    );
    const contractsInFlight = rows.flatMap(({ contractId, assignment }) =>
      assignment.type === "in-flight" ? [contractId] : [],
    );
    const made = { assigned: Object.fromEntries(assigned), contractsInFlight };
    this.#assigned.set(contracts, made);
    return made;
  }
}

function preapproved(body: Json | undefined, { registry }: WorldState): Pick<ExchangeContext, "isPreapproved"> {
  const receiver = isJsonObject(body) ? valueAt(body, "/choiceArguments/transfer/receiver") : undefined;
  return typeof receiver === "string" ? { isPreapproved: registry.preapprovals.has(receiver) } : {};
}
