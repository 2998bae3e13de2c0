import { Body } from "../../foundation/http/body.ts";
import type { Request } from "../../foundation/http/request.ts";
import { formatJson } from "../../foundation/json/json.ts";
import type { SpecOperation } from "../../foundation/spec/operation.ts";
import type { ProbeCall } from "./probe.ts";

/** Builds the request of a call. Without `authorization`, it has no Authorization header. */
export function requestOf(
  { method, path }: SpecOperation,
  call: Omit<ProbeCall, "operationId">,
  authorization: string | undefined,
): Request {
  const filled = path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(call.path?.[name] ?? ""));
  const query = new URLSearchParams(call.query).toString();
  const body = call.body === undefined ? call.text : formatJson(call.body);
  return {
    method,
    target: query === "" ? filled : `${filled}?${query}`,
    headers: [
      ...(authorization === undefined ? [] : [["Authorization", authorization] as const]),
      ...(body === undefined ? [] : [["Content-Type", "application/json"] as const]),
    ],
    body: new Body(body ?? ""),
  };
}
