import { formatJson, type Json } from "../json/json.ts";
import { type Response, textResponse } from "./response.ts";

/** A response with a JSON value as its body. */
export function jsonValueResponse<Body extends Json>(status: number, value: Body): Response {
  return textResponse(status, "application/json", formatJson(value));
}
