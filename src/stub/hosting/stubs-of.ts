import type { CountedLimits } from "../../foundation/limits/counted-limits.ts";
import { createStubs, stubSpec } from "../pipeline/stub.ts";
import { UploadedDars } from "../pipeline/uploaded-dars.ts";
import type { HostingOptions, SharedStubs } from "./hosting-options.ts";

/** The spec of a hosting and the factory of its stubs. */
export function stubsOf(options: HostingOptions, limits: CountedLimits): SharedStubs {
  const spec = stubSpec(options.profile, options);
  const dars = new UploadedDars(limits);
  return { spec, dars, stubOver: createStubs({ ...options, spec, limits, dars }) };
}
