import { useEffect, useRef, useState } from "preact/hooks";
import type { Asked } from "./use-live.ts";

/** Asks for something; `isWanted` turns false when the view is left. */
export type Ask<Answer> = (isWanted: () => boolean) => Promise<Answer>;

interface Asking<Answer> {
  key: string;
  ask: Ask<Answer>;
  isBusy: boolean;
  isGone: boolean;
}

/**
 * What was asked for, asked again whenever the key changes. One request is under way at most: what changes meanwhile
 * is asked for once, when it has ended.
 */
export function useLatest<Answer>(ask: Ask<Answer>, key: string): Asked<Answer> {
  const [answer, setAnswer] = useState<Asked<Answer>>({});
  const asking = useRef<Asking<Answer>>({ key, ask, isBusy: false, isGone: false });
  useEffect(() => {
    const current = asking.current;
    current.key = key;
    current.ask = ask;
    if (!current.isBusy) void askInTurn(current, setAnswer);
  }, [key]);
  useEffect(() => {
    asking.current.isGone = false;
    return () => {
      asking.current.isGone = true;
    };
  }, []);
  return answer;
}

async function askInTurn<Answer>(
  asking: Asking<Answer>,
  show: (next: (before: Asked<Answer>) => Asked<Answer>) => void,
): Promise<void> {
  asking.isBusy = true;
  let asked: string;
  do {
    asked = asking.key;
    const next = await asking
      .ask(() => !asking.isGone)
      .then(
        (value) => () => ({ value }),
        (error: Error) => (before: Asked<Answer>) => ({ ...before, problem: error.message }),
      );
    if (!asking.isGone) show(next);
  } while (!asking.isGone && asked !== asking.key);
  asking.isBusy = false;
}
