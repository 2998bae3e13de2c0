import { useState } from "preact/hooks";

/** State of a manual action: running, done or failed. */
export interface Action {
  readonly isBusy: boolean;
  readonly done?: string;
  readonly problem?: string;
  /** Runs `act`, which resolves to the message to show. */
  readonly run: (act: () => Promise<string>) => void;
}

export function useAction(): Action {
  const [state, setState] = useState<Omit<Action, "run">>({ isBusy: false });
  const run = (act: () => Promise<string>) => {
    setState({ isBusy: true });
    act().then(
      (done) => setState({ isBusy: false, done }),
      (error: Error) => setState({ isBusy: false, problem: error.message }),
    );
  };
  return { ...state, run };
}
