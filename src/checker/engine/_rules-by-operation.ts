/** A rule with the operations that it reads; undefined for all. */
interface OperationFilter {
  readonly operations?: readonly string[] | undefined;
}

/** Selects the rules that read an operation, in their order. Results are cached by operation. */
export function rulesByOperation<Some extends OperationFilter>(
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
