import { jsonValueResponse } from "../../foundation/http/json-value-response.ts";
import type { Response } from "../../foundation/http/response.ts";
import type { JsonObject } from "../../foundation/json/json.ts";
import type { Hosting } from "../hosting/hosting.ts";
import { problem } from "./control-problem.ts";
import type { ServerProcess } from "./server-process.ts";

/** Responds to `GET /__understudy/live`: the process responds. */
export function liveResponse(method: string): Response {
  return healthResponse(method, 200, { live: true });
}

/**
 * Responds to `GET /__understudy/ready`: 200 if a proxy may send requests to this process, else 503 with the reasons. It asks
 * the store nothing: the lease is renewed in the background.
 */
export function readyResponse({ kept }: Hosting, method: string, process: ServerProcess | undefined): Response {
  const reasons = [kept?.problem, process?.isStopping() === true ? "The stub is stopping." : undefined].filter(
    (reason) => reason !== undefined,
  );
  const ready = reasons.length === 0;
  return healthResponse(method, ready ? 200 : 503, { ready, reasons });
}

function healthResponse(method: string, status: number, body: JsonObject): Response {
  if (method !== "GET" && method !== "HEAD") return problem(405, "Method not allowed. Use GET or HEAD.");
  return jsonValueResponse(status, body);
}
