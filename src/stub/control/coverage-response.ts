import { jsonValueResponse } from "../../foundation/http/json-value-response.ts";
import type { Request } from "../../foundation/http/request.ts";
import type { Response } from "../../foundation/http/response.ts";
import type { Hosting } from "../hosting/hosting.ts";
import { problem } from "./control-problem.ts";

/** Shows what the clients of all worlds have exercised, as a coverage file. Worlds that are reset or removed count too. */
export function coverageResponse({ coverage, worlds }: Hosting, { method }: Request): Response {
  if (method !== "GET") return problem(405, "Method not allowed. GET shows the coverage.");
  if (coverage === undefined) return problem(404, "Coverage is not counted. Start serve without --no-client-rules.");
  // Exchanges are counted when no client waits; a report counts those that wait.
  for (const { clientRules } of worlds.values()) clientRules?.report();
  const { profile, operations, clientRules, ...counts } = coverage.counts();
  return jsonValueResponse(200, {
    version: 1,
    counts: [
      {
        profile: { ...profile },
        ...counts,
        operations: Object.fromEntries(
          Object.entries(operations).map(([id, { statuses, codes }]) => [id, { statuses, codes }]),
        ),
        clientRules: Object.fromEntries(Object.entries(clientRules).map(([id, rule]) => [id, { ...rule }])),
      },
    ],
  });
}
