/** Values of the fault form. */
export interface PlannedFault {
  readonly on: string;
  readonly kind: FaultKind;
  /** `after`: the operation takes effect before the fault. `instead`: it has no effect. */
  readonly timing: "instead" | "after";
  readonly status: number;
  readonly body: string;
  /** An ISO-8601 duration. */
  readonly delay: string;
  readonly nth: number;
  readonly times: number;
}

type FaultKind = (typeof faultKinds)[number]["kind"];

export const faultKinds = [
  { kind: "commit-then-timeout", title: "takes effect, then no response" },
  { kind: "commit-then-reset", title: "takes effect, then a reset" },
  { kind: "commit-then-unavailable", title: "takes effect, then 503" },
  { kind: "status", title: "responds with a status" },
  { kind: "reset", title: "resets the connection" },
  { kind: "timeout", title: "never responds" },
  { kind: "delay", title: "responds late" },
] as const;

/** The plan entry (schemas/scenario.schema.json) that injects the fault. */
export function entryOf(fault: PlannedFault): object {
  const { on, kind, timing, nth, times } = fault;
  const calls = { on, nth, times };
  switch (kind) {
    case "status":
      return { ...calls, [timing]: { status: fault.status, ...bodyOf(fault.body) } };
    case "reset":
      return { ...calls, [timing]: { reset: true } };
    case "timeout":
      return { ...calls, [timing]: { timeout: true } };
    case "delay":
      return { ...calls, after: { delay: fault.delay } };
    default:
      return { ...calls, fault: kind };
  }
}

/** A body that is JSON is sent as JSON, anything else as text. */
function bodyOf(body: string): { readonly body?: unknown } {
  if (body.trim() === "") return {};
  try {
    return { body: JSON.parse(body) };
  } catch {
    return { body };
  }
}
