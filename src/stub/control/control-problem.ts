import { jsonValueResponse } from "../../foundation/http/json-value-response.ts";
import { type Response, withHeaders } from "../../foundation/http/response.ts";
import type { components } from "./generated/control-types.ts";

/** An error of the control API: `{ error }`. */
export function problem(status: number, error: string): Response {
  return jsonValueResponse<components["schemas"]["Problem"]>(status, { error });
}

/** A response in plain text as an error of the control API. */
export function asProblem({ status, body, headers }: Response): Response {
  return withHeaders(
    problem(status, body.text()),
    headers.filter(([name]) => name !== "Content-Type"),
  );
}
