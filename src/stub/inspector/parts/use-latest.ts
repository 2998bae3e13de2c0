import { useEffect, useRef, useState } from "preact/hooks";
import type { Requested } from "./use-live.ts";

/** Asks for something; `isWanted` turns false when the view is left. */
export type Ask<HandlerResponse> = (isWanted: () => boolean) => Promise<HandlerResponse>;

interface Asking<HandlerResponse> {
  key: string;
  ask: Ask<HandlerResponse>;
  isBusy: boolean;
  isGone: boolean;
}

/**
 * What was asked for, asked again whenever the key changes. One request is under way at most: what changes meanwhile
 * is asked for once, when it has ended.
 */
export function useLatest<HandlerResponse>(ask: Ask<HandlerResponse>, key: string): Requested<HandlerResponse> {
  const [response, setResponse] = useState<Requested<HandlerResponse>>({});
  const asking = useRef<Asking<HandlerResponse>>({ key, ask, isBusy: false, isGone: false });
  useEffect(() => {
    const current = asking.current;
    current.key = key;
    current.ask = ask;
    if (!current.isBusy) void askInTurn(current, setResponse);
  }, [key]);
  useEffect(() => {
    asking.current.isGone = false;
    return () => {
      asking.current.isGone = true;
    };
  }, []);
  return response;
}

async function askInTurn<HandlerResponse>(
  asking: Asking<HandlerResponse>,
  show: (next: (before: Requested<HandlerResponse>) => Requested<HandlerResponse>) => void,
): Promise<void> {
  asking.isBusy = true;
  let requested: string;
  do {
    requested = asking.key;
    const next = await asking
      .ask(() => !asking.isGone)
      .then(
        (value) => () => ({ value }),
        (error: Error) => (before: Requested<HandlerResponse>) => ({ ...before, problem: error.message }),
      );
    if (!asking.isGone) show(next);
  } while (!asking.isGone && requested !== asking.key);
  asking.isBusy = false;
}
