/** Performs a step and then undoes it, even after a failure. If both fail, the first error is thrown. */
export async function withUndo(act: () => Promise<void>, undo: () => Promise<void>): Promise<void> {
  const failure = await failureOf(act);
  const later = await failureOf(undo);
  if (failure !== undefined) throw failure.error;
  if (later !== undefined) throw later.error;
}

async function failureOf(act: () => Promise<void>): Promise<{ readonly error: unknown } | undefined> {
  try {
    await act();
    return undefined;
  } catch (error) {
    return { error };
  }
}
