import type { CountedLimits } from "../../foundation/limits/counted-limits.ts";
import { streamsOver } from "../pipeline/stream.ts";
import { sharedStep, stubOver, stubSpec } from "../pipeline/stub.ts";
import { UploadedDars } from "../pipeline/uploaded-dars.ts";
import type { HostingOptions, SharedStubs } from "./hosting-options.ts";

/** The spec of a hosting and the factory of its stubs. */
export function stubsOf(options: HostingOptions, limits: CountedLimits): SharedStubs {
  const spec = stubSpec(options.profile, options);
  const dars = new UploadedDars(limits);
  const shared = sharedStep({ ...options, spec, limits, dars });
  return {
    spec,
    dars,
    stubOver: (world) => stubOver(world, shared),
    streamsOver: (world) => streamsOver(world, shared),
  };
}
