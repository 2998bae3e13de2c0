import { jsonValueResponse } from "../../foundation/http/json-value-response.ts";
import type { Request } from "../../foundation/http/request.ts";
import type { Response } from "../../foundation/http/response.ts";
import type { Hosting } from "../hosting/hosting.ts";
import { controlPrefix } from "./access.ts";
import { problem } from "./control-problem.ts";
import { metricsResponse } from "./metrics-response.ts";
import type { ServerProcess } from "./server-process.ts";

/** What to do instead of another method, by path. */
const advice: Readonly<Record<string, string>> = {
  "/live": "Use GET or HEAD.",
  "/ready": "Use GET or HEAD.",
  "/metrics": "GET shows the metrics.",
  "/limits": "GET shows the limits; flags of serve change them.",
  "/coverage": "GET shows the coverage.",
};

/** The response to a request about the whole process; undefined for any other request. */
export function processResponse(
  hosting: Hosting,
  { target, method }: Request,
  process: ServerProcess | undefined,
): Response | undefined {
  const path = target.slice(controlPrefix.length).split("?")[0] ?? "";
  if (!Object.hasOwn(advice, path)) return undefined;
  const isAllowed = method === "GET" || (method === "HEAD" && advice[path]?.includes("HEAD") === true);
  if (!isAllowed) return problem(405, `Method not allowed. ${advice[path]}`);
  switch (path) {
    case "/live":
      return jsonValueResponse(200, { live: true });
    case "/ready":
      return readyResponse(hosting, process);
    case "/metrics":
      return metricsResponse(hosting, process);
    case "/limits":
      return limitsResponse(hosting);
    default:
      return coverageResponse(hosting);
  }
}

/**
 * 200 if a proxy may send requests to this process, else 503 with the reasons. It asks the store nothing: the lease is
 * renewed in the background.
 */
function readyResponse({ kept }: Hosting, process: ServerProcess | undefined): Response {
  const reasons = [kept?.problem, process?.isStopping() === true ? "The stub is stopping." : undefined].filter(
    (reason) => reason !== undefined,
  );
  const ready = reasons.length === 0;
  return jsonValueResponse(ready ? 200 : 503, { ready, reasons });
}

/** Each limit of the stub: its value, its current use, and how often it was exceeded; and the quotas of labels. */
function limitsResponse({ limits, quotas }: Hosting): Response {
  const { limits: reports, malformed } = limits.report();
  return jsonValueResponse(200, {
    limits: reports.map((report) => ({ ...report })),
    malformed,
    quotas: (quotas?.report() ?? []).map((report) => ({ ...report })),
  });
}

/** What the clients of all worlds have exercised, as a coverage file. Worlds that are reset or removed count too. */
function coverageResponse({ coverage, worlds }: Hosting): Response {
  if (coverage === undefined) return problem(404, "Coverage is not counted. Start serve without --no-client-rules.");
  // Exchanges are counted when no client waits; a report counts those that wait.
  for (const { clientRules } of worlds.values()) clientRules?.report();
  const { profile, operations, clientRules, ...counts } = coverage.counts();
  const shownOperations = Object.entries(operations).map(([id, { statuses, codes }]) => [id, { statuses, codes }]);
  const shownRules = Object.entries(clientRules).map(([id, rule]) => [id, { ...rule }]);
  const shown = { operations: Object.fromEntries(shownOperations), clientRules: Object.fromEntries(shownRules) };
  return jsonValueResponse(200, { version: 1, counts: [{ profile: { ...profile }, ...counts, ...shown }] });
}
