import { mediaType } from "../../foundation/http/header.ts";
import type { Request } from "../../foundation/http/request.ts";
import { isSameJson, jsonOf } from "../../foundation/json/json.ts";
import { pathAndQuery } from "./request-shape.ts";

/** The first difference between a recorded request and a client's; tokens and the order of headers are ignored. */
export function strictDifference(
  recorded: Request,
  requested: Request,
): "method" | "target" | "media type" | "body" | undefined {
  if (recorded.method !== requested.method) return "method";
  if (pathAndQuery(recorded.target) !== pathAndQuery(requested.target)) return "target";
  if (mediaType(recorded.headers) !== mediaType(requested.headers)) return "media type";
  return isSameBody(recorded.body.text(), requested.body.text()) ? undefined : "body";
}
function isSameBody(left: string, right: string): boolean {
  if (left === right) return true;
  const [recorded, requested] = [jsonOf(left), jsonOf(right)];
  return recorded !== undefined && requested !== undefined && isSameJson(recorded, requested);
}
