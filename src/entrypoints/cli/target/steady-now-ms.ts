/** Milliseconds since the epoch by a clock that nobody sets back: what it measures is never negative. */
export function steadyNowMs(): number {
  return performance.timeOrigin + performance.now();
}
