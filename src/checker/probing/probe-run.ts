import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import type { Exchange } from "../../foundation/http/exchange.ts";
import { jsonOf } from "../../foundation/json/json.ts";
import type { Api } from "../../foundation/spec/contracts.ts";
import type { Spec } from "../../foundation/spec/spec.ts";
import { base64OfBytes } from "../../foundation/text/base64.ts";
import type { ExchangeContext } from "../rules/rule.ts";
import { forgedToken } from "./forged-token.ts";
import type { GeneratedCalls, Probe, ProbeCall, ProbeContext, ProbeResponse } from "./probe.ts";
import { Halt, type RateLimitedClient } from "./rate-limited-client.ts";
import { requestOf } from "./request-of.ts";
import type { Hooks, TargetTokens, TargetValues } from "./target.ts";

/** The environment of probes. */
export interface ProbeOptions {
  readonly client: RateLimitedClient;
  readonly spec: Spec;
  readonly tokens: TargetTokens;
  readonly values: TargetValues;
  readonly connectedSynchronizers: readonly string[] | undefined;
  readonly hooks: Hooks;
  readonly startedAtMs: number;
  readonly created: CreatedList;
  /** Generates calls of an API; their ids begin with the prefix. Injected, because this module has no source of randomness. */
  readonly generateCalls?: ((api: Api, prefix: string) => GeneratedCalls) | undefined;
  /** The start of all ids that this check creates; different for each check. */
  readonly prefix: string;
}

/** The result of one run of a probe. */
export interface ProbeRun {
  readonly probe: string;
  readonly exchanges: readonly { readonly exchange: Exchange; readonly context: ExchangeContext }[];
  /** Why the probe ended early. */
  readonly halted: Halt | undefined;
}

/** A hook, a step of the target's operator, failed. */
export class HookFailure extends Halt {}

/** Entities that probes created and did not remove. */
export class CreatedList {
  readonly #entries = new Map<string, { readonly kind: string; readonly id: string }>();

  add(kind: string, id: string): void {
    this.#entries.set(`${kind} ${id}`, { kind, id });
  }

  remove(kind: string, id: string): void {
    this.#entries.delete(`${kind} ${id}`);
  }

  all(): readonly { readonly kind: string; readonly id: string }[] {
    return [...this.#entries.values()];
  }
}

/** A token that no target issues. */
const invalidToken = "understudy.probe.invalid";

/** Runs a probe once. All ids that it creates begin with the prefix. */
export async function runProbe(probe: Probe, prefix: string, options: ProbeOptions): Promise<ProbeRun> {
  const exchanges: { readonly exchange: Exchange; readonly context: ExchangeContext }[] = [];
  try {
    await probe.run(contextOf(prefix, options, (exchange, context) => exchanges.push({ exchange, context })));
    return { probe: probe.id, exchanges, halted: undefined };
  } catch (error) {
    if (!(error instanceof Halt)) throw error;
    return { probe: probe.id, exchanges, halted: error };
  }
}

function contextOf(
  prefix: string,
  options: ProbeOptions,
  keep: (exchange: Exchange, context: ExchangeContext) => void,
): ProbeContext {
  const { values, hooks, created, connectedSynchronizers, startedAtMs, spec } = options;
  return {
    prefix,
    startedAtMs,
    connectedSynchronizers,
    values,
    need(name) {
      const value = values[name];
      if (value === undefined || value === null)
        throw new Error(`invariant: the probe does not declare the need ${name}`);
      return value;
    },
    generatedCalls(api) {
      if (options.generateCalls === undefined)
        throw new Error("invariant: the probe does not declare the need generatedCalls");
      return options.generateCalls(api, prefix);
    },
    knows: (operationId) => spec.operations.some((operation) => operation.operationId === operationId),
    send: (call) => send(call, options, keep),
    end(why) {
      throw new Halt(why);
    },
    seededBytes: (purpose) => sha256(utf8ToBytes(`${prefix}/${purpose}`)),
    created: (kind, id) => created.add(kind, id),
    removed: (kind, id) => created.remove(kind, id),
    async hook(name, variables) {
      const why = await hooks[name]?.(variables);
      if (why !== undefined) throw new HookFailure(`the hook ${name} failed: ${why}`);
    },
  };
}

async function send(
  call: ProbeCall,
  options: ProbeOptions,
  keep: (exchange: Exchange, context: ExchangeContext) => void,
): Promise<ProbeResponse> {
  const { spec, client, connectedSynchronizers, prefix } = options;
  const operation = spec.operations.find(({ operationId }) => operationId === call.operationId);
  if (operation === undefined) throw new Error(`invariant: there is no operation ${call.operationId}`);
  const tokenKind = call.token ?? (operation.isPublic ? "none" : "administrator");
  const exchange = await client.send(
    operation.api,
    operation.operationId,
    requestOf(operation, call, authorizationOf(tokenKind, options)),
  );
  keep(exchange, {
    ...(operation.isPublic ? {} : contextOfToken(tokenKind)),
    ...(connectedSynchronizers === undefined ? {} : { connectedSynchronizers }),
    ownPrefix: `${prefix}-`,
    ...call.context,
  });
  const { response } = exchange;
  return response.type === "response"
    ? { status: response.status, json: jsonOf(response.body.text()) }
    : { status: 0, json: undefined };
}

type CallToken = NonNullable<ProbeCall["token"]>;

/** Nothing is known about the other rights of a submitter's token. */
function contextOfToken(tokenKind: CallToken): ExchangeContext {
  if (tokenKind === "submitter") return {};
  if (tokenKind === "forged") return { token: "invalid" };
  return { token: tokenKind === "empty" || tokenKind === "basic" ? "none" : tokenKind };
}

function authorizationOf(tokenKind: CallToken, { tokens, startedAtMs }: ProbeOptions): string | undefined {
  switch (tokenKind) {
    case "none":
      return undefined;
    case "empty":
      return "Bearer";
    case "basic":
      return `Basic ${base64OfBytes(utf8ToBytes("understudy:probe"))}`;
    case "invalid":
      return `Bearer ${invalidToken}`;
    case "forged":
      return `Bearer ${forgedToken(startedAtMs)}`;
    default: {
      const token = tokens[tokenKind] ?? (tokenKind === "submitter" ? tokens.administrator : undefined);
      if (token === undefined)
        throw new Error(`invariant: the probe does not declare the need for the ${tokenKind} token`);
      return `Bearer ${token}`;
    }
  }
}
