import { mediaType } from "../../foundation/http/header.ts";
import type { Request } from "../../foundation/http/request.ts";
import { isSameJson, jsonOf } from "../../foundation/json/json.ts";
import { pathAndQuery, textOf } from "./request-shape.ts";

/** What differs between a recorded request and one that must be the same, tokens and the order of headers apart. */
export function strictDifference(
  recorded: Request,
  asked: Request,
): "method" | "target" | "media type" | "body" | undefined {
  if (recorded.method !== asked.method) return "method";
  if (pathAndQuery(recorded.target) !== pathAndQuery(asked.target)) return "target";
  if (mediaType(recorded.headers) !== mediaType(asked.headers)) return "media type";
  return isSameBody(textOf(recorded), textOf(asked)) ? undefined : "body";
}
function isSameBody(left: string, right: string): boolean {
  if (left === right) return true;
  const [recorded, asked] = [jsonOf(left), jsonOf(right)];
  return recorded !== undefined && asked !== undefined && isSameJson(recorded, asked);
}
