import { useEffect, useState } from "preact/hooks";
import { type WorldStatuses, watchWorlds } from "./control-api.ts";

/** The last status of all worlds, and whether the stub is connected. */
interface Live {
  readonly stub: WorldStatuses | undefined;
  readonly isLive: boolean;
}

export function useLive(): Live {
  const [live, setLive] = useState<Live>({ stub: undefined, isLive: false });
  useEffect(
    () =>
      watchWorlds(
        (stub) => setLive({ stub, isLive: true }),
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
