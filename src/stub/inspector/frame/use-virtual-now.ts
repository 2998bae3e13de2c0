import { useEffect, useRef, useState } from "preact/hooks";
import type { WorldStatus } from "../parts/control-api.ts";

/** How often a running clock is drawn. */
const tickMs = 1000;

/** Virtual time in milliseconds. Between events a running clock is computed. Undefined for recorded traffic. */
export function useVirtualNow({ now, clockSpeed }: Pick<WorldStatus, "now" | "clockSpeed">): number | undefined {
  const seen = useRef({ now, atMs: performance.now() });
  const [, tick] = useState(0);
  if (seen.current.now !== now) seen.current = { now, atMs: performance.now() };
  useEffect(() => {
    if (clockSpeed === 0) return;
    const ticking = setInterval(() => tick((count) => count + 1), tickMs);
    return () => clearInterval(ticking);
  }, [clockSpeed]);
  if (now === null) return undefined;
  return Date.parse(now) + (performance.now() - seen.current.atMs) * clockSpeed;
}
