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
  /** The parameters with the index of their segment. */
  readonly parameters: readonly { readonly name: string; readonly index: number }[];
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
      .filter(({ parameters }) => parameters.length === 0)
      .map((template) => [template.operations[0]?.path, template]),
  );
  return (method, path) => {
    const known = literal.get(path);
    if (known !== undefined) return routeIn(known, method, path, noSegments);
    const exact = path.split("/");
    const relaxed = exact.filter(isNotEmpty);
    // The APIs have no common paths, so the order of templates does not matter.
    const template =
      matching(relaxedTemplates.get(relaxed.length), relaxed) ?? matching(exactTemplates.get(exact.length), exact);
    if (template === undefined) return { type: "unknown" };
    return routeIn(template, method, path, template.isExact ? exact : relaxed);
  };
}

const noSegments: readonly string[] = [];
const noParameters: Readonly<Record<string, string>> = {};

function isNotEmpty(segment: string): boolean {
  return segment !== "";
}

function matching(
  templates: readonly PathTemplate[] | undefined,
  segments: readonly string[],
): PathTemplate | undefined {
  if (templates !== undefined)
    for (const template of templates) if (isMatch(template.segments, segments)) return template;
  return undefined;
}

function routeIn(template: PathTemplate, method: string, path: string, given: readonly string[]): Route {
  const { operations } = template;
  for (const operation of operations)
    if (operation.method === method) return { type: "found", operation, pathParameters: parametersOf(template, given) };
  return { type: "wrong-method", path, allowed: operations.map((operation) => operation.method) };
}

function templatesOf(operations: readonly SpecOperation[]): readonly PathTemplate[] {
  const byPath = Map.groupBy(operations, (operation) => operation.path);
  const templates = [...byPath].map(([path, found]) => {
    const isExact = found.every(({ api }) => api === "registry");
    const segments = path.split("/").filter((segment) => isExact || segment !== "");
    const parameters = segments.flatMap((segment, index) =>
      segment.startsWith("{") ? [{ name: segment.slice(1, -1), index }] : [],
    );
    return { isExact, segments, parameters, operations: found };
  });
  // Paths without parameters come first, since a parameter would match them.
  return templates.sort((left, right) => left.parameters.length - right.parameters.length);
}

/** Whether a template with the same number of segments matches. */
function isMatch(template: readonly string[], segments: readonly string[]): boolean {
  for (let index = 0; index < template.length; index += 1) {
    const part = template[index] ?? "";
    const segment = segments[index];
    if (part !== segment && !(part.startsWith("{") && segment !== "")) return false;
  }
  return true;
}

function parametersOf({ parameters }: PathTemplate, segments: readonly string[]): Readonly<Record<string, string>> {
  if (parameters.length === 0) return noParameters;
  const found: Record<string, string> = {};
  for (const { name, index } of parameters) found[name] = percentDecoded(segments[index] ?? "");
  return found;
}
