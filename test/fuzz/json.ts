import { checkExchange } from "../../src/checker/engine/checker.ts";
import { Body } from "../../src/foundation/http/body.ts";
import type { Handler, HandlerResponse } from "../../src/foundation/http/handler.ts";
import type { Request } from "../../src/foundation/http/request.ts";
import { jsonOf } from "../../src/foundation/json/json.ts";
import {
  impliedRegistryProfile,
  knownProfiles,
  loadSpec,
  profileNamesOf,
  type Spec,
} from "../../src/foundation/spec/spec.ts";
import { World } from "../../src/simulator/world/world.ts";
import type { WorldState } from "../../src/simulator/world/world-state.ts";
import { Hosting } from "../../src/stub/hosting/hosting.ts";
import { hashOfState } from "../_hash-of-state.ts";
import { watchBusy } from "./_busy.ts";
import { below, garbage, isDrawn, oneOf, type Random } from "./_draw.ts";
import type { FuzzKind } from "./_fuzz-kind.ts";
import { beyondInt64 } from "./_hostile.ts";
import { garbageBytes, mutatedBytes } from "./_mutate-bytes.ts";
import { crowdedJson, mutatedJson, withNumber } from "./_mutate-json.ts";
import { type Fault, handlerWith, limitsWith } from "./_planted.ts";
import { type Played, playedIn } from "./_played.ts";
import { targetOf } from "./_target-of.ts";

/** Bodies of requests, by operation and profile, through a stub whose world they fit but for the mutations. */
export const KIND: FuzzKind = {
  name: "json",
  open: async ({ fault, largeShare = largeShareDefault } = {}) => {
    const profiles = await Promise.all(profileNamesOf("ledger").map((ledger) => profileOf(ledger, fault)));
    return targetOf({ draw: (random) => drawn(profiles, largeShare, random), check, show });
  },
};

/** Share of bodies with one list, object or value that fills them. */
const largeShareDefault = 0.005;

interface Profile {
  readonly spec: Spec;
  readonly hosting: Hosting;
  readonly handler: Handler;
  /** Good requests by operation. */
  readonly played: readonly (readonly Played[])[];
}

async function profileOf(ledger: string, fault: Fault | undefined): Promise<Profile> {
  const profile = knownProfiles({ ledger, registry: impliedRegistryProfile(ledger) });
  const all = await playedIn(ledger);
  const [first] = all;
  if (first === undefined) throw new Error(`invariant: scenarios play in ${ledger}`);
  const hosting = new Hosting({
    scenario: "fuzz",
    world: new World(first.before, { type: "frozen" }, () => 0),
    profile,
    auth: "bearer",
    areSignaturesVerified: false,
    hasAdditionalOperations: true,
    wallNowMs: () => 0,
    sleep: async () => {},
    later: (run) => run(),
    limits: limitsWith(fault),
  });
  const handler = handlerWith(fault, hosting.handler);
  const played = [...Map.groupBy(all, ({ operationId }) => operationId).values()];
  return { spec: loadSpec(profile, { hasAdditionalOperations: true }), hosting, handler, played };
}

interface Input {
  readonly profile: Profile;
  readonly played: Played;
  readonly request: Request;
  /** Whether an integer that no int64 holds was put where a number has to be, and nothing else was changed. */
  readonly isBeyond: boolean;
  /** Whether the state is hashed before and after, which takes longer than the request. */
  readonly isHashed: boolean;
}

function drawn(profiles: readonly Profile[], largeShare: number, random: Random): Input {
  const profile = oneOf(random, profiles);
  const played = oneOf(random, oneOf(random, profile.played));
  const good = jsonOf(played.request.body.text());
  const beyond =
    good !== undefined && isDrawn(random, 0.1) ? withNumber(good, oneOf(random, beyondInt64), random) : undefined;
  const { method, headers, target } = played.request;
  const body = beyond === undefined ? bodyFrom(played, largeShare, random) : beyond;
  return {
    profile,
    played,
    request: {
      method:
        beyond === undefined && isDrawn(random, 0.02)
          ? oneOf(random, ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "get", ""])
          : method,
      target: isDrawn(random, beyond === undefined ? 0.1 : 0) ? mutatedTarget(target, random) : target,
      headers: isDrawn(random, 0.05) ? headers.filter(() => isDrawn(random, 0.5)) : headers,
      body: new Body(body),
    },
    isBeyond: beyond !== undefined,
    isHashed: isDrawn(random, 0.02),
  };
}

function bodyFrom({ request }: Played, largeShare: number, random: Random): Uint8Array | string {
  if (isDrawn(random, largeShare)) return crowdedJson(jsonOf(request.body.text()) ?? {}, random);
  if (isDrawn(random, 0.03)) return garbageBytes(random, 300);
  if (isDrawn(random, 0.15)) return mutatedBytes(request.body.bytes(), random);
  const good = jsonOf(request.body.text());
  return mutatedJson(good ?? {}, random);
}

function mutatedTarget(target: string, random: Random): string {
  const at = 1 + below(random, target.length);
  const more = oneOf(random, [
    "?pageSize=1e999",
    "?pageSize=9223372036854775808",
    "?pageToken=%ff",
    "%00",
    "/..",
    "//",
    "?",
    "&a",
    "%2e%2e",
    "\ud800",
  ]);
  return isDrawn(random, 0.5)
    ? `${target.slice(0, at)}${more}${target.slice(at)}`
    : `${target.slice(0, at)}${garbage(random, 5)}${target.slice(at + 1)}`;
}

async function check({ profile, played, request, isBeyond, isHashed }: Input): Promise<string | undefined> {
  const { handler, hosting, spec } = profile;
  const id = hosting.fork("default", played.before);
  const world = id === undefined ? undefined : hosting.worlds.get(id)?.world;
  if (id === undefined || world === undefined) throw new Error("invariant: forks are removed again");
  try {
    const [before, hash] = [world.state, isHashed ? hashOfState(world.state) : ""];
    const sent = { ...request, headers: [...request.headers, ["Understudy-World", id] as const] };
    const { result: response, problem } = await watchBusy(() => handler(sent));
    if (problem !== undefined) return problem;
    if (isHashed && hashOfState(before) !== hash) return "a state was changed in place";
    return (
      formProblem(response, isBeyond) ??
      changeProblem(response, before, world.state) ??
      checked(spec, request, response)
    );
  } finally {
    hosting.remove(id);
  }
}

function formProblem(response: HandlerResponse, isBeyond: boolean): string | undefined {
  if (response.type === "broken") return `the response is broken: ${response.kind}`;
  const { status } = response;
  if (status >= 500 && status !== 503) return `the response is ${status}\n${textOf(response)}`;
  if (isBeyond && status < 400) return `an integer beyond int64 is taken\n${textOf(response)}`;
  return undefined;
}

function changeProblem(response: HandlerResponse, before: WorldState, after: WorldState): string | undefined {
  const isSame = before.ledger === after.ledger && before.registry === after.registry;
  return isSame || (response.type === "response" && response.status < 400)
    ? undefined
    : "a refused request changes the world";
}

/** Findings of the rules on the exchange: the stub keeps all rules, for every request. */
function checked(spec: Spec, request: Request, response: HandlerResponse): string | undefined {
  const level = spec.profile.ledger === "spec" ? "spec" : "release";
  // The checker accepts a path prefix of the node; this stub has none.
  if (spec.route(request.method, request.target.split("?")[0] ?? "").type !== "found") return undefined;
  const verdict = checkExchange(spec, level, { startedAt: "", durationMs: 0, request, response });
  if (verdict.type === "unsupported") return undefined;
  const broken = verdict.results.flatMap(({ violations }) => violations).find(({ outcome }) => outcome === "FAIL");
  if (broken === undefined) return undefined;
  const { rule, status, operationId, expected, actual, pointer } = broken;
  return `the rule ${rule} is broken by a ${status} of ${operationId}\nexpected ${expected}, actual ${actual} at ${pointer}\n${textOf(response)}`;
}

function textOf(response: HandlerResponse): string {
  return response.type === "broken" ? response.kind : response.body.text().slice(0, 2000);
}

function show({ profile, request, isBeyond }: Input): string {
  const { method, target, headers, body } = request;
  const text = body.text();
  const head = [`${method} ${target}`, ...headers.map(([name, value]) => `${name}: ${value}`)];
  const note = `(${profile.spec.profile.ledger}${isBeyond ? ", an integer beyond int64" : ""})`;
  return [note, ...head, "", text].join("\n");
}
