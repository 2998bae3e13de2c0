import { useEffect, useState } from "preact/hooks";
import { type WorldStatus, watchWorlds } from "./control-api.ts";

/** How far each world has come, as the stub tells it, and whether the stub is there. */
export interface Live {
  readonly worlds: readonly WorldStatus[];
  readonly isLive: boolean;
}

export function useLive(): Live {
  const [live, setLive] = useState<Live>({ worlds: [], isLive: false });
  useEffect(
    () =>
      watchWorlds(
        ({ worlds }) => setLive({ worlds, isLive: true }),
        (isLive) => setLive((before) => ({ ...before, isLive })),
      ),
    [],
  );
  return live;
}

/** What was asked for, asked again whenever one of `keys` changes; what comes late for earlier keys is dropped. */
export function useResponse<HandlerResponse>(
  requested: () => Promise<HandlerResponse>,
  keys: readonly unknown[],
): Requested<HandlerResponse> {
  const [response, setResponse] = useState<Requested<HandlerResponse>>({});
  useEffect(() => {
    const current = { isWanted: true };
    requested().then(
      (value) => current.isWanted && setResponse({ value }),
      (error: Error) => current.isWanted && setResponse((before) => ({ ...before, problem: error.message })),
    );
    return () => {
      current.isWanted = false;
    };
  }, keys);
  return response;
}

/** `value` stays what came last while something newer is asked for. */
export interface Requested<HandlerResponse> {
  readonly value?: HandlerResponse;
  readonly problem?: string;
}
