interface Concerned {
  readonly operations?: readonly string[] | undefined;
}

/** Gives, for an operation, those of the rules that look at it at all, in their order. */
export function rulesByOperation<Some extends Concerned>(
  rules: readonly Some[],
): (operationId: string) => readonly Some[] {
  const known = new Map<string, readonly Some[]>();
  return (operationId) => {
    const found = known.get(operationId);
    if (found !== undefined) return found;
    const selected = rules.filter(({ operations }) => operations?.includes(operationId) ?? true);
    known.set(operationId, selected);
    return selected;
  };
}
