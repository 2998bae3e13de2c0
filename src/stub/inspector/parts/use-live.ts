import { useEffect, useState } from "preact/hooks";
import { type WorldStatus, watchWorlds } from "./control-api.ts";

/** The status of all worlds, and whether the stub is connected. */
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

/** Fetches a value, and again whenever one of `keys` changes. Late results for earlier keys are dropped. */
export function useResponse<Value>(fetch: () => Promise<Value>, keys: readonly unknown[]): Fetched<Value> {
  const [response, setResponse] = useState<Fetched<Value>>({});
  useEffect(() => {
    const current = { isWanted: true };
    fetch().then(
      (value) => current.isWanted && setResponse({ value }),
      (error: Error) => current.isWanted && setResponse((before) => ({ ...before, problem: error.message })),
    );
    return () => {
      current.isWanted = false;
    };
  }, keys);
  return response;
}

/** Result of a fetch. `value` remains while a newer value is fetched. */
export interface Fetched<Value> {
  readonly value?: Value;
  readonly problem?: string;
}
