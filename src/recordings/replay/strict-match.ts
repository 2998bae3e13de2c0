import { mediaType } from "../../foundation/http/header.ts";
import type { Request } from "../../foundation/http/request.ts";
import { isSameJson, jsonOf } from "../../foundation/json/json.ts";
import { pathAndQuery, textOf } from "./request-shape.ts";

/** What differs between a recorded request and one that must be the same, tokens and the order of headers apart. */
export function strictDifference(
  recorded: Request,
  requested: Request,
): "method" | "target" | "media type" | "body" | undefined {
  if (recorded.method !== requested.method) return "method";
  if (pathAndQuery(recorded.target) !== pathAndQuery(requested.target)) return "target";
  if (mediaType(recorded.headers) !== mediaType(requested.headers)) return "media type";
  return isSameBody(textOf(recorded), textOf(requested)) ? undefined : "body";
}
function isSameBody(left: string, right: string): boolean {
  if (left === right) return true;
  const [recorded, requested] = [jsonOf(left), jsonOf(right)];
  return recorded !== undefined && requested !== undefined && isSameJson(recorded, requested);
}
