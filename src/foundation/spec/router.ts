import { percentDecoded } from "../text/percent-decoded.ts";
import type { Api } from "./contracts.ts";
import type { OperationId } from "./generated/names.ts";
import type { SpecOperation } from "./operation.ts";

export interface FoundRoute<Id extends string = OperationId> {
  readonly type: "found";
  readonly operation: SpecOperation<Api, Id>;
  readonly pathParameters: Readonly<Record<string, string>>;
}

export type Route =
  | FoundRoute
  | { readonly type: "wrong-method"; readonly path: string; readonly allowed: readonly string[] }
  | { readonly type: "unknown" };

interface PathTemplate {
  readonly isExact: boolean;
  readonly segments: readonly string[];
  readonly operations: readonly SpecOperation[];
}

/**
 * Finds the operation of a method and path. The ledger ignores empty segments, so `/v2/users/` is `/v2/users`;
 * a registry matches paths exactly (Canton 3.5, EndpointsCompanion.scala; Splice 0.7, HttpTokenStandardTransferInstructionHandler.scala).
 */
export function createRouter(operations: readonly SpecOperation[]): (method: string, path: string) => Route {
  const templates = templatesOf(operations);
  const byLength = (isExact: boolean) =>
    Map.groupBy(
      templates.filter((template) => template.isExact === isExact),
      ({ segments }) => segments.length,
    );
  const [relaxedTemplates, exactTemplates] = [byLength(false), byLength(true)];
  // Fast path: most paths have no parameters and match exactly.
  const literal = new Map(
    templates
      .filter(({ segments }) => parameterCount(segments) === 0)
      .map((template) => [template.operations[0]?.path, template]),
  );
  return (method, path) => {
    const known = literal.get(path);
    if (known !== undefined) return routeIn(known, method, path, noSegments);
    const exact = path.split("/");
    const relaxed = exact.filter((segment) => segment !== "");
    // The APIs have no common paths, so the order of templates does not matter.
    const template =
      relaxedTemplates.get(relaxed.length)?.find(({ segments }) => isMatch(segments, relaxed)) ??
      exactTemplates.get(exact.length)?.find(({ segments }) => isMatch(segments, exact));
    if (template === undefined) return { type: "unknown" };
    return routeIn(template, method, path, template.isExact ? exact : relaxed);
  };
}

const noSegments: readonly string[] = [];

function routeIn(
  { segments, operations }: PathTemplate,
  method: string,
  path: string,
  given: readonly string[],
): Route {
  const operation = operations.find((candidate) => candidate.method === method);
  if (operation === undefined)
    return { type: "wrong-method", path, allowed: operations.map((candidate) => candidate.method) };
  return { type: "found", operation, pathParameters: parametersOf(segments, given) };
}

function templatesOf(operations: readonly SpecOperation[]): readonly PathTemplate[] {
  const byPath = Map.groupBy(operations, (operation) => operation.path);
  const templates = [...byPath].map(([path, found]) => {
    const isExact = found.every(({ api }) => api === "registry");
    const segments = path.split("/").filter((segment) => isExact || segment !== "");
    return { isExact, segments, operations: found };
  });
  // Paths without parameters come first, since a parameter would match them.
  return templates.sort((left, right) => parameterCount(left.segments) - parameterCount(right.segments));
}

function parameterCount(segments: readonly string[]): number {
  return segments.filter((segment) => segment.startsWith("{")).length;
}

/** Whether a template with the same number of segments matches. */
function isMatch(template: readonly string[], segments: readonly string[]): boolean {
  for (let index = 0; index < template.length; index += 1) {
    const [part = "", segment] = [template[index], segments[index]];
    if (part !== segment && !(part.startsWith("{") && segment !== "")) return false;
  }
  return true;
}

function parametersOf(template: readonly string[], segments: readonly string[]): Record<string, string> {
  const parameters: Record<string, string> = {};
  for (const [index, part] of template.entries()) {
    if (part.startsWith("{")) parameters[part.slice(1, -1)] = percentDecoded(segments[index] ?? "");
  }
  return parameters;
}
