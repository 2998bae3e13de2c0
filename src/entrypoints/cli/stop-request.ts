import type { Environment } from "./options.ts";

/** Whether the user asked to stop. */
interface StopRequest {
  readonly isRequested: boolean;
}

/** Notes that the user asks to stop. `onStop` is called once, when that happens. */
export function stopRequestOf(environment: Pick<Environment, "stopped">, onStop?: () => void): StopRequest {
  const stop = { isRequested: false };
  void environment.stopped().then(() => {
    stop.isRequested = true;
    onStop?.();
  });
  return stop;
}
