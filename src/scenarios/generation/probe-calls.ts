import type { Api } from "../../foundation/spec/contracts.ts";
import { defaultProfileOf, loadSpec, type ProfileNames } from "../../foundation/spec/spec.ts";
import { loadFaker } from "./faker.ts";
import { type GeneratedRequest, generateRequests } from "./generate-requests.ts";
import { seedOf } from "./random.ts";
import { identifierFormats } from "./request-meaning.ts";

/** Requests of each kind for every operation. */
const requestsPerOperation = 4;

/** Generated requests of an API, valid and invalid. */
interface CallsOfApi {
  readonly valid: readonly GeneratedRequest[];
  readonly invalid: readonly GeneratedRequest[];
}

/**
 * Generates calls of all operations of the spec for a profile; their ids start with the prefix, which also
 * seeds them.
 */
export async function createCallMaker(profile: ProfileNames): Promise<(api: Api, prefix: string) => CallsOfApi> {
  // Where the spec leaves a schema open, the default release defines it.
  const schemasOf = {
    ledger: profile.ledger === "spec" ? defaultProfileOf("ledger") : profile.ledger,
    registry: profile.registry === "spec" ? defaultProfileOf("registry") : profile.registry,
  };
  const spec = loadSpec(profile, { schemasOf });
  const fakeFor = await loadFaker();
  return (api, prefix) => {
    const fake = fakeFor(identifierFormats(prefix));
    const options = { fake, spec, seed: seedOf(0, prefix), count: requestsPerOperation };
    const requests = spec.operations
      .filter((operation) => operation.api === api)
      .map(({ operationId }) => generateRequests(operationId, options));
    return {
      valid: requests.flatMap(({ valid }) => valid),
      invalid: requests.flatMap(({ invalid }) => invalid.map(({ fault: _, ...call }) => call)),
    };
  };
}
