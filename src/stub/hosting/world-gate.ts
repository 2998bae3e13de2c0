import type { Request } from "../../foundation/http/request.ts";
import { splitTarget } from "../../foundation/http/request-target.ts";
import { type Response, textResponse, withHeaders } from "../../foundation/http/response.ts";
import { withStubLimit } from "../../foundation/http/stub-limit.ts";
import { withReason } from "../../foundation/http/with-reason.ts";
import { isWrite } from "../../foundation/spec/is-write.ts";
import type { Spec } from "../../foundation/spec/spec.ts";
import type { CountedLabel, LabelQuotas } from "./label-quotas.ts";
import type { WorldDetails } from "./world-details.ts";
import { unknownWorld } from "./world-id.ts";

/** The refusal of a request before it is executed; undefined if the world serves it. */
export type WorldGate = (request: Request) => Response | undefined;

interface GateOptions extends Pick<WorldDetails, "labels" | "expiresMs"> {
  readonly id: string;
  readonly quotas?: LabelQuotas | undefined;
  readonly nowMs: () => number;
  readonly spec: Pick<Spec, "route">;
  /** The size of the world. */
  readonly bytes: () => number;
}

/** The gate of a world; undefined for a world without quotas that does not expire. */
export function worldGate(options: GateOptions): WorldGate | undefined {
  const { id, quotas, labels, expiresMs = Number.POSITIVE_INFINITY, nowMs } = options;
  const counted = quotas?.counted(labels) ?? [];
  if (counted.length === 0 && expiresMs === Number.POSITIVE_INFINITY) return undefined;
  return (request) => {
    if (nowMs() >= expiresMs) return unknownWorld(id);
    return beyondRate(counted) ?? beyondBytes(counted, request, options);
  };
}

/** Counts the request if all labels allow it. */
function beyondRate(labels: readonly CountedLabel[]): Response | undefined {
  for (const counted of labels) {
    const waitSeconds = counted.waitSeconds();
    if (waitSeconds === 0) continue;
    counted.exceed("rate");
    const { label, quota } = counted;
    const reason = `The worlds with the label ${label} get more than ${quota.rate} requests a second (--quota ${label}:rate). The request was not executed. Repeat it later.`;
    return withHeaders(refused(reason), [["Retry-After", String(Math.ceil(waitSeconds))]]);
  }
  for (const counted of labels) counted.serve();
  return undefined;
}

function beyondBytes(labels: readonly CountedLabel[], request: Request, options: GateOptions): Response | undefined {
  const size = options.bytes();
  const beyond = labels.find(({ quota: { bytes = size } }) => size > bytes);
  if (beyond === undefined || !writes(request, options)) return undefined;
  beyond.exceed("bytes");
  return refused(
    `The world ${options.id} has ${size} bytes, and the label ${beyond.label} allows ${beyond.quota.bytes} (--quota ${beyond.label}:bytes), so the request was not executed. Remove the world, and fork another one.`,
  );
}

function writes({ method, target }: Request, { spec }: GateOptions): boolean {
  const route = spec.route(method, splitTarget(target).path);
  return isWrite(method, route.type === "found" ? route.operation : nowhere);
}

const nowhere = { api: "ledger", operationId: undefined };

function refused(reason: string): Response {
  return withStubLimit(withReason(textResponse(429, "text/plain; charset=UTF-8", reason), reason), "quota");
}
