import { jsonValueResponse } from "../../foundation/http/json-value-response.ts";
import type { Request } from "../../foundation/http/request.ts";
import type { Response } from "../../foundation/http/response.ts";
import type { Hosting } from "../hosting/hosting.ts";
import { problem } from "./control-problem.ts";

/** Reports each limit of the stub: its value, its current use, and how often it was exceeded. Reports the quotas of labels too. */
export function limitsResponse({ limits, quotas }: Hosting, { method }: Request): Response {
  if (method !== "GET") return problem(405, "Method not allowed. GET shows the limits; flags of serve change them.");
  const { limits: reports, malformed } = limits.report();
  return jsonValueResponse(200, {
    limits: reports.map((report) => ({ ...report })),
    malformed,
    quotas: (quotas?.report() ?? []).map((report) => ({ ...report })),
  });
}
