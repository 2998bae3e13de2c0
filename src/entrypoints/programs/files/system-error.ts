/** The reason of a failed system call: words with the error code, or the code alone. */
export function reasonOf(error: unknown): string {
  const code = codeOf(error);
  return reasons.get(code) ?? code;
}

/** The error code of a failed system call, such as `ENOENT`. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}

const reasons: ReadonlyMap<string, string> = new Map([
  ["ENOSPC", "the disk is full, ENOSPC"],
  ["EDQUOT", "the quota is used up, EDQUOT"],
  ["EFBIG", "the file may not grow, EFBIG"],
  ["EROFS", "the file system is read-only, EROFS"],
  ["EACCES", "permission denied, EACCES"],
  ["EMFILE", "too many files are open, EMFILE"],
  ["ELOOP", "its symbolic links form a circle, ELOOP"],
]);
