import { jsonValueResponse } from "../../foundation/http/json-value-response.ts";
import { type Response, withHeaders } from "../../foundation/http/response.ts";
import { contracts } from "../../foundation/spec/contracts.ts";
import { operationsOf } from "../../foundation/spec/operation.ts";
import { advise } from "../../foundation/text/suggestion.ts";
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

const prefix = "/__understudy/worlds/{world}/";

/** The response to an action on a world that the control API does not have: `POST clock`. Names the nearest actions. */
export function unknownAction(action: string): Response {
  const names = operationsOf("control", contracts.control)
    .filter(({ path }) => path.startsWith(prefix))
    .map(({ method, path }) => `${method} ${path.slice(prefix.length)}`);
  const advice = advise(action, names, "contracts/control.yaml describes all.");
  return problem(404, `The control API has no action ${JSON.stringify(action)} on a world. ${advice}`);
}
