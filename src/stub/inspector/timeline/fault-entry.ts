/** What a form says of a fault. */
export interface Fault {
  readonly on: string;
  readonly kind: FaultKind;
  /** Whether the operation takes effect before it is answered like this. */
  readonly pointInTime: "instead" | "after";
  readonly status: number;
  readonly body: string;
  /** An ISO-8601 duration. */
  readonly delay: string;
  readonly nth: number;
  readonly times: number;
}

export type FaultKind = (typeof faultKinds)[number]["kind"];

export const faultKinds = [
  { kind: "commit-then-timeout", title: "takes effect, then never answers" },
  { kind: "commit-then-reset", title: "takes effect, then resets the connection" },
  { kind: "commit-then-unavailable", title: "takes effect, then answers 503" },
  { kind: "status", title: "answers a status" },
  { kind: "reset", title: "resets the connection" },
  { kind: "timeout", title: "never answers" },
  { kind: "delay", title: "answers late" },
] as const;

/** The entry of a plan (schemas/scenario.schema.json) that arms it. */
export function entryOf(fault: Fault): object {
  const { on, kind, pointInTime, nth, times } = fault;
  const calls = { on, nth, times };
  switch (kind) {
    case "status":
      return { ...calls, [pointInTime]: { status: fault.status, ...bodyOf(fault.body) } };
    case "reset":
      return { ...calls, [pointInTime]: { reset: true } };
    case "timeout":
      return { ...calls, [pointInTime]: { timeout: true } };
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
