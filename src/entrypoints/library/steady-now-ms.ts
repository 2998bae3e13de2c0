/** Milliseconds since the epoch by a monotonic clock: a measured duration is never negative. */
export function steadyNowMs(): number {
  return performance.timeOrigin + performance.now();
}
