/** Does something and takes it back, whatever came of it; of two failures the first one is told. */
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
