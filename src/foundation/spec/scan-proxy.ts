import type { SpecOperation } from "./operation.ts";

/** The path below which a validator serves what scan serves. */
export const scanProxyPath = "/api/validator/v0/scan-proxy";

/** The operations of the registry as a validator serves them: with a token (Splice 0.7, ValidatorApp.scala). */
export function behindScanProxy(operations: readonly SpecOperation[]): readonly SpecOperation[] {
  return operations
    .filter(({ path }) => path.startsWith("/registry/"))
    .map((operation) => ({ ...operation, path: scanProxyPath + operation.path, isPublic: false }));
}
