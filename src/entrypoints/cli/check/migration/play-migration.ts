import type { Exchange } from "../../../../foundation/http/exchange.ts";
import type { Handler, HandlerResponse } from "../../../../foundation/http/handler.ts";
import { headerValues } from "../../../../foundation/http/header.ts";
import { impliedRegistryProfile, loadSpec, type Spec } from "../../../../foundation/spec/spec.ts";
import type { RecordingItem } from "../../../../recordings/har/read-recording.ts";
import { pathAndQuery } from "../../../../recordings/replay/request-shape.ts";
import { Sender } from "../../../../recordings/replay/send-again.ts";
import type { Scenario } from "../../../../scenarios/files/load-scenario.ts";
import { defaultWorld } from "../../../../scenarios/inference/read-world.ts";
import type { RecordedWorlds } from "../../../../scenarios/inference/recorded-worlds.ts";
import { asLoopback, loopbackAccess } from "../../../../stub/control/access.ts";
import { withControl } from "../../../../stub/control/control.ts";
import { hostScenario } from "../../../library/host-scenario.ts";
import { apiPathOf, hasTokenInProtocol, type PlayedRequest, summaryOf } from "./played-request.ts";
import type { Migration } from "./releases.ts";

/** Headers that a release may treat differently. */
const keptHeaders = ["Request-Timeout", "Sec-WebSocket-Protocol"];

/** The spec of a release with its additional operations. */
export function specOf(release: string): Spec {
  return loadSpec({ ledger: release, registry: impliedRegistryProfile(release) }, { hasAdditionalOperations: true });
}

/** Sends the requests of a recording to stubs of both releases, world by world, in recorded order. */
export async function* playMigration(
  recording: AsyncIterable<RecordingItem & { readonly type: "exchange" }>,
  worlds: RecordedWorlds,
  migration: Migration,
): AsyncGenerator<PlayedRequest> {
  const spec = specOf(migration.from);
  const names = new Set(worlds.names);
  const pairs = new Map<string, WorldPair>();
  for await (const { exchange, index } of recording) {
    const call = worlds.callOf(exchange);
    const name = call !== undefined && names.has(call.world) ? call.world : defaultWorld;
    const pair = pairs.get(name) ?? new WorldPair(worlds, name, migration, spec);
    pairs.set(name, pair);
    yield await pair.play(index + 1, exchange);
  }
}

/** A world of the recording on a stub of each release. */
class WorldPair {
  readonly #sender: Sender;
  readonly #before: LastResponse;
  readonly #after: LastResponse;
  readonly #name: string;

  constructor(worlds: RecordedWorlds, name: string, { from, played }: Migration, spec: Spec) {
    const scenario = worlds.world(name, from);
    this.#name = name;
    this.#before = new LastResponse(stubOf(scenario, from));
    this.#after = new LastResponse(stubOf(scenario, played));
    this.#sender = new Sender({
      spec,
      nodes: [this.#before.node, this.#after.node],
      areWritesAllowed: true,
      tokenFor: (placeholder) => placeholder,
      keptHeaders,
      // The world is inferred from the whole recording, with the ids in it.
      areDependentsSent: true,
    });
  }

  async play(number: number, exchange: Exchange): Promise<PlayedRequest> {
    this.#before.last = undefined;
    this.#after.last = undefined;
    const sent = await this.#sender.send(number, this.#prepared(exchange));
    const [before, after] = [this.#before.last, this.#after.last];
    return {
      sent,
      exchange,
      path: apiPathOf(pathAndQuery(exchange.request.target)),
      recorded: summaryOf(exchange.response),
      before: before === undefined ? undefined : summaryOf(before),
      after: after === undefined ? undefined : summaryOf(after),
    };
  }

  /** The exchange with a token if the recorder removed it, and with the world's name on the stubs. */
  #prepared(exchange: Exchange): Exchange {
    const { request, response } = exchange;
    const isWithoutToken = headerValues(request.headers, "authorization").length === 0 && !hasTokenInProtocol(request);
    const isRefused = response.type === "response" && response.status === 401;
    const isTokenRemoved = isWithoutToken && !isRefused && !request.target.includes("/registry/");
    const target = request.target.replace(`/__understudy/worlds/${this.#name}`, `/__understudy/worlds/${defaultWorld}`);
    const added = isTokenRemoved ? [["Authorization", "Bearer recorded"] as const] : [];
    return { ...exchange, request: { ...request, target, headers: [...request.headers, ...added] } };
  }
}

function stubOf(scenario: Scenario, ledger: string): Handler {
  const profile = { ledger, registry: impliedRegistryProfile(ledger) };
  return asLoopback(withControl(hostScenario(scenario, { profile, wallNowMs: () => 0 }), loopbackAccess));
}

/** A stub with its last response. */
class LastResponse {
  last: HandlerResponse | undefined;
  readonly handler: Handler;

  constructor(stub: Handler) {
    this.handler = async (request) => {
      this.last = await stub(request);
      return this.last;
    };
  }

  get node(): ConstructorParameters<typeof Sender>[0]["nodes"][0] {
    const { handler } = this;
    return { handlers: { ledger: handler, registry: handler, control: handler }, given: [] };
  }
}
