/** The modules of a bundle. */
interface Graph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
}

/** Tells which modules a module imports, at once and not when it needs them, itself included. */
export function reachedFrom(start: string): (id: string, graph: Graph) => boolean {
  let reached: Set<string> | undefined;
  return (id, graph) => {
    if (graph.getModuleInfo(start) === null) throw new Error(`the bundle has no module ${start}`);
    reached ??= follow(start, graph, new Set());
    return reached.has(id);
  };
}

function follow(id: string, graph: Graph, reached: Set<string>): Set<string> {
  if (reached.has(id)) return reached;
  reached.add(id);
  for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) follow(imported, graph, reached);
  return reached;
}
