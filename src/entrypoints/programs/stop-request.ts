import type { ProgramCaller } from "./caller.ts";

/** Whether the user asked to stop. */
interface StopRequest {
  readonly isRequested: boolean;
}

/** Notes that the user asks to stop. `onStop` is called once, when that happens. */
export function stopRequestOf(caller: Pick<ProgramCaller, "stopped">, onStop?: () => void): StopRequest {
  const stop = { isRequested: false };
  void caller.stopped().then(() => {
    stop.isRequested = true;
    onStop?.();
  });
  return stop;
}
