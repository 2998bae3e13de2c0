import type { Request } from "../../foundation/http/request.ts";
import { type Response, textResponse } from "../../foundation/http/response.ts";
import { formatJson } from "../../foundation/json/json.ts";
import type { Hosting } from "../hosting/hosting.ts";

/** Reports each limit of the stub: its value, its current use, and how often it was exceeded. */
export function limitsResponse({ limits }: Hosting, { method }: Request): Response {
  if (method !== "GET")
    return textResponse(
      405,
      "application/json",
      formatJson({ error: "Method not allowed. GET shows the limits; flags of serve change them." }),
    );
  const { limits: reports, malformed } = limits.report();
  return textResponse(
    200,
    "application/json",
    formatJson({ limits: reports.map((report) => ({ ...report })), malformed }),
  );
}
