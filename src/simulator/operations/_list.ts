import type { JsonObject } from "../../foundation/json/json.ts";
import type { Call, OperationResult } from "./operation.ts";
import { jsonLayerRefusal } from "./refusal.ts";

/** The number of elements that a node sends as one list by default (Canton 3.5, http-list-max-elements-limit). */
const elementsMax = 200;

/**
 * The elements of a stream as one list, cut to the query parameter `limit`; 413 beyond the limit of the node (Canton 3.5,
 * Endpoints.scala, JsonListLimitTest). A node waits for further elements until the stream is idle, the stub does not.
 */
export function listed(elements: Iterable<JsonObject>, { query }: Call): OperationResult {
  const limit = Math.min(Math.max(Number(query["limit"] ?? Number.POSITIVE_INFINITY), 0), elementsMax + 1);
  const body: JsonObject[] = [];
  for (const element of elements) {
    if (body.length >= limit) break;
    body.push(element);
  }
  return body.length > elementsMax ? tooManyElements : { type: "succeeded", body, changes: [] };
}

const tooManyElements = jsonLayerRefusal(
  "JSON_API_MAXIMUM_LIST_ELEMENTS_NUMBER_REACHED",
  `The number of matching elements (${elementsMax + 1}) is greater than the node limit (${elementsMax}).`,
);
