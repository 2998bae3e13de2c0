import { useEffect, useRef, useState } from "preact/hooks";
import type { Fetched } from "./use-live.ts";

/** Fetches a value; `isWanted` returns false after the component is unmounted. */
type Fetch<Value> = (isWanted: () => boolean) => Promise<Value>;

interface FetchState<Value> {
  key: string;
  fetch: Fetch<Value>;
  isBusy: boolean;
  isGone: boolean;
}

/**
 * Fetches a value, and again whenever the key changes. At most one request runs at a time; changes during a request cause
 * one more request after it.
 */
export function useLatest<Value>(fetch: Fetch<Value>, key: string): Fetched<Value> {
  const [response, setResponse] = useState<Fetched<Value>>({});
  const state = useRef<FetchState<Value>>({ key, fetch, isBusy: false, isGone: false });
  useEffect(() => {
    const current = state.current;
    current.key = key;
    current.fetch = fetch;
    if (!current.isBusy) void fetchInTurn(current, setResponse);
  }, [key]);
  useEffect(() => {
    state.current.isGone = false;
    return () => {
      state.current.isGone = true;
    };
  }, []);
  return response;
}

async function fetchInTurn<Value>(
  state: FetchState<Value>,
  show: (next: (before: Fetched<Value>) => Fetched<Value>) => void,
): Promise<void> {
  state.isBusy = true;
  let fetchedKey: string;
  do {
    fetchedKey = state.key;
    const next = await state
      .fetch(() => !state.isGone)
      .then(
        (value) => () => ({ value }),
        (error: Error) => (before: Fetched<Value>) => ({ ...before, problem: error.message }),
      );
    if (!state.isGone) show(next);
  } while (!state.isGone && fetchedKey !== state.key);
  state.isBusy = false;
}
