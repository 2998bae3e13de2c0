import type { Spec } from "../src/foundation/spec/spec.ts";
import type { SharedStubs } from "../src/stub/hosting/hosting-options.ts";
import { createStubs, stubSpec } from "../src/stub/pipeline/stub.ts";

/** Stubs with faults of their own: a planned response does not say that it is planned, so that it is checked. */
export function faultyStubs(profile: Spec["profile"]): SharedStubs {
  const spec = stubSpec(profile, { hasAdditionalOperations: true });
  const stubOver = createStubs({ spec, auth: "bearer", areSignaturesVerified: false });
  return {
    spec,
    stubOver: (world) => {
      const stub = stubOver(world);
      return (request, verified) => {
        const responded = stub(request, verified);
        const { isPlanned, ...response } = responded.response;
        return { ...responded, response };
      };
    },
  };
}
