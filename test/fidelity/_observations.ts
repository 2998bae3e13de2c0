import { readFileSync } from "node:fs";
import { Body } from "../../src/foundation/http/body.ts";
import type { Request } from "../../src/foundation/http/request.ts";
import type { SpecOperation } from "../../src/foundation/spec/operation.ts";
import { createStubs, stubSpec } from "../../src/stub/pipeline/stub.ts";
import { stubOf } from "../acceptance/_stub.ts";

/** The profiles that share the observed codec, newest first. */
export const comparedProfiles = ["canton-3.6", "canton-3.5", "canton-3.4.12", "canton-3.4.11"] as const;
export type ComparedProfile = (typeof comparedProfiles)[number];

/** A body that was sent to the codec of release 3.5, and what it said. */
export interface Observation {
  readonly id: string;
  readonly operationId: string;
  readonly body?: string;
  readonly bodyBase64?: string;
  readonly accepted: boolean;
  /** The value as the codec writes it again. */
  readonly decoded?: string;
  /** The text of the 400. */
  readonly text?: string;
  /** Only if the response depends on the version of the JSON library. */
  readonly newerLibrary?: { readonly accepted: boolean; readonly text?: string };
}

/** What the stub did with the body of an observation, beside what the observed codec did, and what the release does. */
export interface Compared {
  readonly observation: Observation;
  /** The text of the stub's 400; undefined if the body was accepted. */
  readonly refusal: string | undefined;
  readonly hasSameVerdict: boolean;
  readonly hasSameText: boolean;
  /** The text of the release's 400; undefined if it accepts the body. */
  readonly expected: string | undefined;
  /** Why the release differs from the observed codec; undefined if it does not. */
  readonly reason: string | undefined;
}

/** What a release does differently from the observed codec. */
interface Difference {
  readonly profiles: readonly ComparedProfile[];
  readonly reason: string;
  readonly isOf: (observation: Observation) => boolean;
  /** The text of the 400; undefined if the body is accepted. */
  readonly textOf: (observation: Observation) => string | undefined;
}

const v3 = ", HASHING_SCHEME_VERSION_V3";
const release34 = ["canton-3.4.12", "canton-3.4.11"] as const;

const releaseDifferences: readonly Difference[] = [
  {
    profiles: ["canton-3.6"],
    reason: "JSON deeper than 100 levels is refused; the text is Understudy's own",
    isOf: ({ id }) => id.endsWith("/deep-600-ignored"),
    textOf: () => "Invalid value for: body (JSON is nested deeper than 100 levels)",
  },
  {
    profiles: ["canton-3.6"],
    reason: "the text lists `HASHING_SCHEME_VERSION_V4`, too",
    isOf: ({ text }) => text?.includes(v3) === true,
    textOf: ({ text }) => text?.replace(v3, `${v3}, HASHING_SCHEME_VERSION_V4`),
  },
  {
    profiles: release34,
    reason: "the text does not list `HASHING_SCHEME_VERSION_V3`",
    isOf: ({ text }) => text?.includes(v3) === true,
    textOf: ({ text }) => text?.replace(v3, ""),
  },
  {
    profiles: release34,
    reason: "`primaryPartyAuthentication` and `waitForAllocation` are ignored like any unknown member",
    isOf: ({ id, accepted }) => !accepted && /\/(?:user\.primaryPartyAuthentication|waitForAllocation)\//.test(id),
    textOf: () => undefined,
  },
];

/** One a line. */
export function readObservations(): readonly Observation[] {
  const lines = readFileSync(new URL("observations.jsonl", import.meta.url), "utf8")
    .trimEnd()
    .split("\n");
  return lines.map((line) => JSON.parse(line));
}

/** The bytes that were sent. */
export function bytesOf({ body, bodyBase64 }: Observation): Uint8Array {
  return body === undefined ? Buffer.from(bodyBase64 ?? "", "base64") : Buffer.from(body);
}

/** The operations of the same body in a release without the paths of later ones. */
const deprecatedOperations: ReadonlyMap<string, string> = new Map([
  ["postV2Package-vettingUpdate", "postV2Package-vetting"],
  ["postV2Package-vettingList", "getV2Package-vetting"],
]);

/** Sends the body of each observation to a stub of this profile. */
export function compareWith(profile: ComparedProfile, observations: readonly Observation[]): readonly Compared[] {
  const spec = stubSpec({ ledger: profile, registry: "splice-0.7" }, { hasAdditionalOperations: true });
  const { world } = stubOf("quickstart", profile);
  const stub = createStubs({ spec, auth: "none", areSignaturesVerified: false })(world);
  const operations = new Map<string, SpecOperation>(
    spec.operations.map((operation) => [operation.operationId, operation]),
  );
  return observations.map((observation) => {
    const { operationId } = observation;
    const operation = operations.get(operationId) ?? operations.get(deprecatedOperations.get(operationId) ?? "");
    if (operation === undefined) throw new Error(`no operation ${operationId} in ${profile}`);
    const { response } = stub(requestOf(operation, observation));
    if (response.type === "broken") throw new Error(`broken response to ${observation.id}`);
    const text = response.body.text();
    const isRefused = response.status === 400 && text.startsWith("Invalid value for: body");
    const difference = releaseDifferences.find((one) => one.profiles.includes(profile) && one.isOf(observation));
    const refusal = isRefused ? text : undefined;
    const hasSameVerdict = observation.accepted === !isRefused;
    return {
      observation,
      refusal,
      hasSameVerdict,
      hasSameText: hasSameVerdict && observation.text === refusal,
      expected: difference === undefined ? observation.text : difference.textOf(observation),
      reason: difference?.reason,
    };
  });
}

function requestOf({ method, path }: SpecOperation, observation: Observation): Request {
  const target = path.replaceAll(/\{[^}]*\}/g, "alice");
  return { method, target, headers: [["Content-Type", "application/json"]], body: new Body(bytesOf(observation)) };
}
