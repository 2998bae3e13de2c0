// A worker loads a module once for all test files that it runs, so `afterAll` in a shared module would run for one file only.

const endings: (() => unknown)[] = [];

/** Registers what ends something that a test file started; it is called after the last test of the file. */
export function afterFile(end: () => unknown): void {
  endings.push(end);
}

/** Ends all that the tests of a file started, the last one first. */
export async function endFile(): Promise<void> {
  for (const end of endings.splice(0).reverse()) await end();
}
