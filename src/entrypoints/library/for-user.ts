/** Whether a line of a stack is in this package's code, in the sources and in a bundle; undefined in bundles of other tools. */
const isOwn = URL.canParse("../../", import.meta.url) ? linesIn(new URL("../../", import.meta.url)) : undefined;

/** Finds the lines of a stack that name a file in a folder: as a file: URL, or as a path of the system. */
export function linesIn({ pathname }: URL): (line: string) => boolean {
  const path = decodeURI(pathname).replace(/^\/(?=[A-Za-z]:)/, "");
  return (line) => line.includes(pathname) || line.replaceAll("\\", "/").includes(path);
}

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
  if (!(error instanceof Error) || error.stack === undefined || isOwn === undefined) return error;
  const lines = error.stack.split("\n");
  const isFrame = (line: string) => /^\s+at /.test(line);
  const others = lines.filter((line) => !isFrame(line) || !isOwn(line));
  if (others.some(isFrame)) Reflect.set(error, "stack", others.join("\n"));
  return error;
}
