import { Verdict, type VerdictSummary } from "../../src/checker/engine/verdict.ts";
import { probes } from "../../src/checker/probes/index.ts";
import { discover } from "../../src/checker/probing/discovery.ts";
import type { Probe, Safety } from "../../src/checker/probing/probe.ts";
import { CreatedList } from "../../src/checker/probing/probe-run.ts";
import { runProbes } from "../../src/checker/probing/probing.ts";
import {
  type Endpoints,
  RateLimitedClient,
  type RateLimitOptions,
} from "../../src/checker/probing/rate-limited-client.ts";
import type { Hooks, TargetTokens, TargetValues } from "../../src/checker/probing/target.ts";
import type { ProbeReport, ProbingReport } from "../../src/checker/reports/report.ts";
import { emptyBody } from "../../src/foundation/http/body.ts";
import type { Handler } from "../../src/foundation/http/handler.ts";
import { jsonOf } from "../../src/foundation/json/json.ts";
import { impliedRegistryProfile, loadSpec } from "../../src/foundation/spec/spec.ts";
import { createCallMaker } from "../../src/scenarios/generation/probe-calls.ts";
import type { World } from "../../src/simulator/world/world.ts";
import { beginReassignment, completeReassignment } from "../../src/stub/hosting/reassignment.ts";
import { mintToken } from "../../src/stub/tokens/mint-token.ts";
import { createTokenVerifier } from "../../src/stub/tokens/verify-token.ts";
import { hostingOf, scenarioOf } from "../_scenario.ts";

// Probes against a stub in this process, without sockets, a clock or waits.

export interface ProbedStub {
  readonly world: World;
  readonly handler: Handler;
  readonly ledger: string;
  readonly tokens: TargetTokens;
  readonly values: TargetValues;
  readonly hooks: Hooks;
}

const startMs = Date.parse("2026-01-01T00:05:00Z");
const factory = "external-party-amulet-rules";
const alice = "alice::12202bd806c97f0e00af1a1fc3328fa763a9269723c8db8fac4f93af71db186d6e90";
const bob = "bob::122081b637d8fcd2c6da6359e6963113a1170de795e4b725b84d1e0b4cfd9ec58ce9";
export const app = "5eb7e725e6bac43f2a906437aa7be080081de786a7d12f7b9649be47b69d6ca0";
export const notUploaded = "80d6ae0197c2a3be4ec46d171996105891dedf626ea3040f2dd2bf00e63c436e";

const signature = {
  format: "SIGNATURE_FORMAT_CONCAT",
  signature: "AAAA",
  signedBy: "1220ab",
  signingAlgorithmSpec: "SIGNING_ALGORITHM_SPEC_ED25519",
};

/** The stub of a scenario, the quickstart by default, with all values of a target file. */
export async function probedStub(
  given: {
    readonly ledger?: string;
    readonly authentication?: "user" | "jwt";
    readonly seed?: number;
    readonly scenario?: string;
  } = {},
): Promise<ProbedStub> {
  const { ledger = "canton-3.5", authentication = "jwt", seed = 7, scenario = "quickstart" } = given;
  const hosting = hostingOf(scenarioOf(scenario, { seed, profile: ledger, startMs }), ledger, {
    auth: authentication,
    verifyToken: createTokenVerifier({ key: { type: "secret", secret: "unsafe" }, audiences: [], scopes: ["s"] }),
  });
  const world = hosting.worlds.get("default")?.world;
  if (world === undefined) throw new Error("no world");
  const { contracts } = world.state.registry;
  const contract = contracts.get(factory)?.contractId;
  const to = "second-domain::12200c3658a471c4732611085ea99d675b626c9a9f409ac0c149df4848e86ee5edc6";
  return {
    world,
    handler: hosting.handler,
    ledger,
    tokens: await tokensOf(authentication),
    values: {
      vettablePackage: app,
      unvettablePackage: notUploaded,
      preapprovedReceiver: bob,
      preparedTransactions: ["YWxpY2Ugb2ZmZXJzIGNhcm9sIDEw", "YWxpY2Ugb2ZmZXJzIGNhcm9sIDU="].map(
        (preparedTransaction) => ({
          preparedTransaction,
          partySignatures: { signatures: [{ party: alice, signatures: [signature] }] },
          hashingSchemeVersion: "HASHING_SCHEME_VERSION_V2",
          userId: "alice",
        }),
      ),
      ...(contract === undefined ? {} : { reassignable: { contract, to } }),
    },
    hooks: hooksOf(world),
  };
}

/** Tokens of mode `user` do not expire. */
async function tokensOf(authentication: "user" | "jwt"): Promise<TargetTokens> {
  if (authentication === "user") return { administrator: "participant_admin", plain: "bob", submitter: "alice" };
  const token = (userId: string, lastsMs: number) =>
    mintToken(
      { userId, audience: undefined, scope: "s", issuer: undefined, issuedAtMs: 0, expiresAtMs: startMs + lastsMs },
      { secret: "unsafe" },
    );
  return {
    administrator: await token("participant_admin", 1e9),
    plain: await token("bob", 1e9),
    submitter: await token("alice", 1e9),
    expired: await token("participant_admin", -1e9),
  };
}

function hooksOf(world: World): Hooks {
  const done = (result: { readonly type: string }) => (result.type === "done" ? undefined : JSON.stringify(result));
  return {
    beginReassignment: async () => done(beginReassignment(world, factory, "synchronizer-b")),
    completeReassignment: async () => done(completeReassignment(world, factory)),
    createPreapproval: async ({ receiver = "" }) => {
      const preapproval = { receiver, contract: undefined, featuredAppRight: undefined };
      world.perform([{ type: "preapproval-created", preapproval }]);
      return undefined;
    },
    archivePreapproval: async ({ receiver = "" }) => {
      world.perform([{ type: "preapproval-archived", receiver }]);
      return undefined;
    },
  };
}

export interface Probing {
  readonly reports: readonly ProbeReport[];
  readonly created: ProbingReport["created"];
  readonly summary: VerdictSummary;
  readonly requests: number;
}

export interface Requested {
  readonly allowed?: Safety;
  readonly only?: readonly string[];
  readonly probes?: readonly Probe[];
  readonly client?: Partial<RateLimitOptions>;
  readonly apis?: readonly ("ledger" | "registry")[];
  readonly seed?: string;
}

/** Runs probes against the stub, as `check` does. */
export async function probe(stub: ProbedStub, requested: Requested = {}): Promise<Probing> {
  const { allowed = "safe", only, apis = ["ledger", "registry"], seed = "t" } = requested;
  const prefix = `understudy-probe-${seed}`;
  const endpoints: Endpoints = Object.fromEntries(
    apis.map((api) => [api, { baseUrl: `http://${api}.test`, handler: stub.handler }]),
  );
  const client = new RateLimitedClient({
    endpoints,
    ratePerSecond: 20,
    requestsMax: 1000,
    userAgent: "test",
    nowMs: () => startMs,
    isStopped: () => false,
    wait: async () => undefined,
    whyUnreachable: (error) => (error instanceof Refused ? { reason: "ECONNREFUSED" } : undefined),
    ...requested.client,
  });
  const found = await discover(stub.values, {
    apis: new Set(apis),
    prefix,
    get: async (_, target) => {
      const headers = [["Authorization", `Bearer ${stub.tokens.administrator}`]] as const;
      const response = await stub.handler({ method: "GET", target, headers, body: emptyBody });
      return response.type === "response" && response.status === 200 ? jsonOf(response.body.text()) : undefined;
    },
  }).catch(() => ({ values: stub.values, derived: [], connectedSynchronizers: undefined }));
  const spec = loadSpec(
    { ledger: stub.ledger, registry: impliedRegistryProfile(stub.ledger) },
    { hasAdditionalOperations: true },
  );
  const [verdict, created] = [new Verdict(spec), new CreatedList()];
  const generateCalls = await createCallMaker(spec.profile);
  const reports = await runProbes({
    ...stub,
    ...found,
    generateCalls,
    client,
    spec,
    verdict,
    created,
    prefix,
    allowed,
    probes: (requested.probes ?? probes).filter(({ id }) => only === undefined || only.includes(id)),
    apis: new Set(apis),
    level: stub.ledger === "spec" ? "spec" : "release",
    areAdditionalOperationsChecked: true,
    startedAtMs: startMs,
    onProbe: () => undefined,
  });
  return { reports, created: created.all(), summary: verdict.summary(), requests: client.requests };
}

/** Allows every probe. */
export const everything: Requested = { allowed: "destructive" };

interface Trouble {
  readonly fingerprint: string;
  readonly outcome: string;
}

/** Violations that are not known divergences. */
export function troubles({ summary }: Probing): readonly Trouble[] {
  return summary.violations
    .filter(({ outcome }) => outcome !== "KNOWN")
    .map(({ fingerprint, outcome }) => ({ fingerprint, outcome }));
}

/** Whether a node could cause it. Only in mode `user` of the stub is every text a token. */
export function isOfNodes(authentication: "user" | "jwt"): (trouble: Trouble) => boolean {
  return ({ fingerprint }) => authentication === "jwt" || !fingerprint.startsWith("refused-tokens-are-401 ");
}

/** The connection is refused. */
export class Refused extends Error {}
