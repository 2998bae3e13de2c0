import type { SpecOperation } from "./operation.ts";

export type Route =
  | {
      readonly type: "found";
      readonly operation: SpecOperation;
      readonly pathParameters: Readonly<Record<string, string>>;
    }
  | { readonly type: "wrong-method"; readonly path: string; readonly allowed: readonly string[] }
  | { readonly type: "unknown" };

interface PathTemplate {
  readonly path: string;
  readonly isExact: boolean;
  readonly segments: readonly string[];
  readonly operations: readonly SpecOperation[];
}

/**
 * Finds the operation of a method and path. For the ledger empty segments do not count, so `/v2/users/` is `/v2/users`;
 * a registry knows its paths to the letter (facts, ledger-api 3.6 and registry 3.1).
 */
export function createRouter(operations: readonly SpecOperation[]): (method: string, path: string) => Route {
  const templates = templatesOf(operations);
  return (method, path) => {
    const segments = path.split("/").filter((segment) => segment !== "");
    const template = templates.find((candidate) =>
      candidate.isExact ? candidate.path === path : isMatch(candidate.segments, segments),
    );
    if (template === undefined) return { type: "unknown" };
    const operation = template.operations.find((candidate) => candidate.method === method);
    if (operation === undefined) {
      return { type: "wrong-method", path, allowed: template.operations.map((candidate) => candidate.method) };
    }
    return { type: "found", operation, pathParameters: parametersOf(template.segments, segments) };
  };
}

function templatesOf(operations: readonly SpecOperation[]): readonly PathTemplate[] {
  const byPath = Map.groupBy(operations, (operation) => operation.path);
  return [...byPath].map(([path, found]) => ({
    path,
    isExact: found.every(({ api }) => api === "registry"),
    segments: path.split("/").filter((segment) => segment !== ""),
    operations: found,
  }));
}

function isMatch(template: readonly string[], segments: readonly string[]): boolean {
  return (
    template.length === segments.length &&
    template.every((part, index) => part.startsWith("{") || part === segments[index])
  );
}

function parametersOf(template: readonly string[], segments: readonly string[]): Record<string, string> {
  const parameters: Record<string, string> = {};
  for (const [index, part] of template.entries()) {
    if (part.startsWith("{")) parameters[part.slice(1, -1)] = decodeSegment(segments[index] ?? "");
  }
  return parameters;
}

/** Percent-decoded; a malformed escape stays as it was sent. */
function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
