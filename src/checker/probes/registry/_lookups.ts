import { bytesToHex } from "@noble/hashes/utils.js";
import { isJsonObject, type Json, type JsonObject } from "../../../foundation/json/json.ts";
import type { ProbeCall, ProbeContext } from "../../probing/probe.ts";

/** What every registry probe needs. */
export const forLookup = ["registry", "sender", "receiver", "instrument"] as const;

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

interface LookupParties {
  readonly receiver?: string;
  readonly instrumentId?: string;
  readonly inputHoldingCids?: readonly string[];
  /** Omitted if undefined. */
  readonly excludeDebugFields?: boolean;
  readonly context?: ProbeCall["context"];
}

/** A lookup of a transfer from the sender, to the receiver unless another one is given. */
export function lookup(context: ProbeContext, requested: LookupParties = {}): ProbeCall {
  const { excludeDebugFields, context: exchangeContext = {} } = requested;
  const body = { choiceArguments: choiceArguments(context, requested) };
  return {
    operationId: "getTransferFactory",
    body: excludeDebugFields === undefined ? body : { ...body, excludeDebugFields },
    context: { ...exchangeContext, ...(requested.receiver === undefined ? { isPreapproved: false } : {}) },
  };
}

/** The arguments of a transfer. Unknown parties and instruments are generated if the probe does not need real ones. */
export function choiceArguments(context: ProbeContext, requested: LookupParties = {}): JsonObject {
  const { startedAtMs, values } = context;
  const sender = values.sender ?? generatedParty(context, "sender");
  const receiver = requested.receiver ?? values.receiver ?? generatedParty(context, "receiver");
  const instrument = values.instrument ?? { admin: generatedParty(context, "admin"), id: context.prefix };
  return {
    transfer: {
      sender: account(sender),
      receiver: account(receiver),
      amount: "1.0",
      instrumentId: { admin: instrument.admin, id: requested.instrumentId ?? instrument.id },
      requestedAt: new Date(startedAtMs - minuteMs).toISOString(),
      executeBefore: new Date(startedAtMs + dayMs).toISOString(),
      inputHoldingCids: requested.inputHoldingCids ?? [],
      meta: { values: {} },
    },
    actors: [sender],
    extraArgs: { context: { values: {} }, meta: { values: {} } },
  };
}

/** The arguments with changed members of the transfer. */
export function withTransfer(given: JsonObject, more: Readonly<Record<string, Json>>): JsonObject {
  const { transfer } = given;
  return { ...given, transfer: { ...(isJsonObject(transfer) ? transfer : {}), ...more } };
}

function generatedParty({ prefix, seededBytes }: ProbeContext, hint: string): string {
  return `${prefix}-${hint}::1220${bytesToHex(seededBytes(hint))}`;
}

export function account(owner: string): JsonObject {
  return { owner, provider: null, id: "" };
}
