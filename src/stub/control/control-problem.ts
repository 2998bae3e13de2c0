import { jsonValueResponse } from "../../foundation/http/json-value-response.ts";
import type { Response } from "../../foundation/http/response.ts";

/** An error of the control API: `{ error }`. */
export function problem(status: number, error: string): Response {
  return jsonValueResponse(status, { error });
}
