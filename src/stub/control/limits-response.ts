import type { Request } from "../../foundation/http/request.ts";
import { type Response, textResponse } from "../../foundation/http/response.ts";
import { formatJson } from "../../foundation/json/json.ts";
import type { Hosting } from "../hosting/hosting.ts";

/** Each bound of the stub with its value, what is in use of it, and how often something went beyond it. */
export function limitsResponse({ limits }: Hosting, { method }: Request): Response {
  if (method !== "GET")
    return textResponse(
      405,
      "application/json",
      formatJson({ error: "GET shows the limits; flags of serve change them." }),
    );
  const { limits: reports, malformed } = limits.report();
  return textResponse(
    200,
    "application/json",
    formatJson({ limits: reports.map((report) => ({ ...report })), malformed }),
  );
}
