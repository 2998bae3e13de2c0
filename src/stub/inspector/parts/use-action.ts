import { useState } from "preact/hooks";

/** Something that a person does by hand, and what became of it. */
export interface Action {
  readonly isBusy: boolean;
  readonly done?: string;
  readonly problem?: string;
  /** `act` gives the sentence that tells what was done. */
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
