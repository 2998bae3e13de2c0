import { checkTrace } from "../../src/checker/engine/checker.ts";
import type { VerdictSummary } from "../../src/checker/engine/verdict.ts";
import { Body } from "../../src/foundation/http/body.ts";
import type { Exchange } from "../../src/foundation/http/exchange.ts";
import type { Handler } from "../../src/foundation/http/handler.ts";
import type { JsonObject } from "../../src/foundation/json/json.ts";
import { impliedRegistryProfile, loadSpec } from "../../src/foundation/spec/spec.ts";
import { app, notUploaded } from "../acceptance/_probed.ts";

interface Call {
  readonly method: string;
  readonly target: string;
  readonly body?: JsonObject;
}

const [user, bystander] = ["session-user", "session-bystander"];
const party = "session::1220ab";
const synchronizerId = "second-domain::12200c3658a471c4732611085ea99d675b626c9a9f409ac0c149df4848e86ee5edc6";

/** The requests of an application in one day, in sequence. */
const calls: readonly Call[] = [
  { method: "GET", target: "/v2/users" },
  creation(user),
  creation(bystander),
  listing(bystander),
  grant(user),
  listing(user),
  revocation(user),
  listing(user),
  vetting(app),
  { method: "GET", target: `/v2/packages/${app}/status` },
  vetting(notUploaded),
  { method: "GET", target: `/v2/packages/${notUploaded}/status` },
  { method: "DELETE", target: `/v2/users/${user}` },
  grant(user),
  { method: "PATCH", target: `/v2/users/${user}`, body: update(user) },
  listing(user),
  { method: "DELETE", target: `/v2/users/${bystander}` },
  allocation("AA=="),
  allocation("AQ=="),
];

/** Checks a recording of these requests at a target without other clients. */
export async function checkedSession(handler: Handler, ledger: string, token: string): Promise<VerdictSummary> {
  const spec = loadSpec({ ledger, registry: impliedRegistryProfile(ledger) }, { hasAdditionalOperations: true });
  const level = ledger === "spec" ? "spec" : "release";
  const steps: { readonly exchange: Exchange }[] = [];
  for (const { method, target, body } of calls) {
    const text = body === undefined ? "" : JSON.stringify(body);
    const headers = [["Authorization", `Bearer ${token}`]] as const;
    const request = { method, target, headers, body: new Body(text) };
    const response = await handler(request);
    steps.push({ exchange: { startedAt: "2026-01-01T00:05:00Z", durationMs: 1, request, response } });
  }
  return checkTrace(steps, { spec, level, areAdditionalOperationsChecked: true }).summary();
}

function creation(id: string): Call {
  const metadata = { resourceVersion: "", annotations: {} };
  const created = { id, primaryParty: "", isDeactivated: false, identityProviderId: "", metadata };
  return { method: "POST", target: "/v2/users", body: { user: created, rights: [] } };
}

function rights(id: string): JsonObject {
  return { userId: id, rights: [{ kind: { CanActAs: { value: { party } } } }], identityProviderId: "" };
}

function grant(id: string): Call {
  return { method: "POST", target: `/v2/users/${id}/rights`, body: rights(id) };
}

function revocation(id: string): Call {
  return { method: "PATCH", target: `/v2/users/${id}/rights`, body: rights(id) };
}

function listing(id: string): Call {
  return { method: "GET", target: `/v2/users/${id}/rights` };
}

function update(id: string): JsonObject {
  const metadata = { resourceVersion: "", annotations: {} };
  return {
    user: { id, primaryParty: "", isDeactivated: true, identityProviderId: "", metadata },
    updateMask: { paths: ["is_deactivated"], unknownFields: { fields: {} } },
  };
}

/** An allocation whose onboarding transaction cannot be read. */
function allocation(transaction: string): Call {
  const body = { synchronizer: synchronizerId, onboardingTransactions: [{ transaction, signatures: [] }] };
  return { method: "POST", target: "/v2/parties/external/allocate", body };
}

function vetting(packageId: string): Call {
  const changes = [{ operation: { Vet: { value: { packages: [{ packageId }] } } } }];
  return { method: "POST", target: "/v2/package-vetting", body: { changes, synchronizerId, dryRun: true } };
}
