import type { ProbeCall, ProbeContext, ProbeResponse } from "../probing/probe.ts";

/**
 * Sends valid variants of one request. As soon as the target accepts one, the others are marked as variants of an accepted
 * request; those that it refused before are sent again.
 */
export async function sendVariants(
  { send }: Pick<ProbeContext, "send">,
  calls: readonly ProbeCall[],
): Promise<readonly ProbeResponse[]> {
  const refused: ProbeCall[] = [];
  const responses: ProbeResponse[] = [];
  let isAccepted = false;
  for (const call of calls) {
    const response = await send(isAccepted ? asVariant(call) : call);
    responses.push(response);
    if (response.status === 200) isAccepted = true;
    else if (!isAccepted && response.status > 0) refused.push(call);
  }
  if (isAccepted) for (const call of refused) await send(asVariant(call));
  return responses;
}

/** The call, marked as a variant of an accepted request. */
export function asVariant(call: ProbeCall, variant = "optional members"): ProbeCall {
  return { ...call, context: { ...call.context, variant } };
}
