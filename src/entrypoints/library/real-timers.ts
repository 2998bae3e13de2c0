import type { Timers } from "../../stub/hosting/streams.ts";

/** Timers of the system. They do not keep the process running. */
export const realTimers: Timers = {
  after(durationMs, run) {
    const timer = setTimeout(run, durationMs).unref();
    return () => clearTimeout(timer);
  },
  every(durationMs, run) {
    const timer = setInterval(run, durationMs).unref();
    return () => clearInterval(timer);
  },
};
