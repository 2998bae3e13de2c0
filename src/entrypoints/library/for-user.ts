/** The folder of this package's code, in the sources and in a bundle; undefined in bundles of other tools. */
const ownFolder = URL.canParse("../../", import.meta.url)
  ? decodeURI(new URL("../../", import.meta.url).pathname)
  : undefined;

/**
 * Runs a function for a caller outside this package. The stack of an error begins at the line of the caller, so that test
 * frameworks show that line.
 */
export function forUser<Result>(run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    throw withoutOwnFrames(error);
  }
}

/** The error without the frames of this package; the same one if no other frame remains. */
export function withoutOwnFrames(error: unknown): unknown {
  if (!(error instanceof Error) || error.stack === undefined || ownFolder === undefined) return error;
  const lines = error.stack.split("\n");
  const isFrame = (line: string) => /^\s+at /.test(line);
  const others = lines.filter((line) => !isFrame(line) || !line.includes(ownFolder));
  if (others.some(isFrame)) Reflect.set(error, "stack", others.join("\n"));
  return error;
}
