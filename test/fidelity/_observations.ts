import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Body } from "../../src/foundation/http/body.ts";
import type { Request } from "../../src/foundation/http/request.ts";
import type { SpecOperation } from "../../src/foundation/spec/operation.ts";
import { createStubs, stubSpec } from "../../src/stub/pipeline/stub.ts";
import { type PlayedProfile, stubOf } from "../acceptance/_stub.ts";

const file = fileURLToPath(new URL("../../../shared/samples/ledger/decoder-observations.json", import.meta.url));

/** Whether the folder of samples is there. */
export const hasObservations: boolean = existsSync(file);

/** A body that was sent to the codec of a release, and what it said. */
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

/** What the stub did with the body of an observation. */
export interface Compared {
  readonly observation: Observation;
  /** The text of the stub's 400; undefined if the body was accepted. */
  readonly refusal: string | undefined;
  readonly hasSameVerdict: boolean;
  readonly hasSameText: boolean;
}

/** Observations that the stub does not follow, by the end of their ids, with the reason. */
export const exceptions: Readonly<Record<string, string>> = {
  "/syntax/many-digits-ignored": "numbers of a body are limited (`--number-length-max`)",
  "/syntax/deep-600-ignored": "the nesting of a body is limited (`--nesting-max`)",
  "/syntax/deep-600-top": "the nesting of a body is limited (`--nesting-max`)",
  "/syntax/deep-600-unclosed": "the nesting of a body is limited (`--nesting-max`)",
};

/** Why the stub does not follow this observation; undefined if it should. */
export function exceptionOf({ id }: Observation): string | undefined {
  return Object.entries(exceptions).find(([end]) => id.endsWith(end))?.[1];
}

export function readObservations(): readonly Observation[] {
  return JSON.parse(readFileSync(file, "utf8")).observations;
}

/** The bytes that were sent. */
export function bytesOf({ body, bodyBase64 }: Observation): Uint8Array {
  return body === undefined ? Buffer.from(bodyBase64 ?? "", "base64") : Buffer.from(body);
}

/** Sends the body of each observation to a stub of this profile. */
export function compareWith(profile: PlayedProfile, observations: readonly Observation[]): readonly Compared[] {
  const spec = stubSpec({ ledger: profile, registry: "splice-0.7" }, { hasAdditionalOperations: true });
  const { world } = stubOf("quickstart", profile);
  const stub = createStubs({ spec, auth: "none", areSignaturesVerified: false })(world);
  const operations = new Map(spec.operations.map((operation) => [operation.operationId, operation]));
  return observations.map((observation) => {
    const operation = operations.get(observation.operationId);
    if (operation === undefined) throw new Error(`no operation ${observation.operationId} in ${profile}`);
    const { response } = stub(requestOf(operation, observation));
    if (response.type === "broken") throw new Error(`broken response to ${observation.id}`);
    const text = response.body.text();
    const isRefused = response.status === 400 && text.startsWith("Invalid value for: body");
    return compared(observation, isRefused ? text : undefined);
  });
}

function compared(observation: Observation, refusal: string | undefined): Compared {
  const hasSameVerdict = observation.accepted === (refusal === undefined);
  return { observation, refusal, hasSameVerdict, hasSameText: hasSameVerdict && observation.text === refusal };
}

function requestOf({ method, path }: SpecOperation, observation: Observation): Request {
  const target = path.replaceAll(/\{[^}]*\}/g, "alice");
  return { method, target, headers: [["Content-Type", "application/json"]], body: new Body(bytesOf(observation)) };
}
