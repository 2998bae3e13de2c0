import type { Request } from "../../foundation/http/request.ts";
import { type ControlScope, controlScopes } from "../stores/control-tokens.ts";

/** The scope that a request needs, by its method and its path below the control prefix. */
export function neededScope({ method }: Pick<Request, "method">, path: string): ControlScope {
  const [root, , view] = path.split("/");
  if (root === "tokens") return "administer";
  // The header for curl may hold a signed token of an administrator of the ledger, and an archive has texts that are masked elsewhere.
  if (view === "access" || view === "archive") return "drive";
  return method === "GET" || method === "HEAD" ? "read" : "drive";
}

/** Whether a scope includes another one. */
export function includesScope(scope: ControlScope, needed: ControlScope): boolean {
  return controlScopes.indexOf(scope) >= controlScopes.indexOf(needed);
}
