import type { ProbeCall, ProbeResponse } from "../probing/probe.ts";

/**
 * Sends valid variants of one request. As soon as the target accepts one, the others are marked as variants of an accepted
 * request; those that it refused before are sent again.
 */
export async function sendVariants<Call extends ProbeCall>(
  { send }: { send(call: Call): Promise<ProbeResponse> },
  calls: readonly Call[],
): Promise<void> {
  const refused: Call[] = [];
  let isAccepted = false;
  for (const call of calls) {
    const { status } = await send(isAccepted ? asVariant(call) : call);
    if (status === 200) isAccepted = true;
    else if (!isAccepted && status > 0) refused.push(call);
  }
  if (isAccepted) for (const call of refused) await send(asVariant(call));
}

/** The call, marked as a variant of an accepted request. */
export function asVariant<Call extends ProbeCall>(call: Call, variant = "optional members"): Call {
  return { ...call, context: { ...call.context, variant } };
}
