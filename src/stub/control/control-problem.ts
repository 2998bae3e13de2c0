import { jsonValueResponse } from "../../foundation/http/json-value-response.ts";
import { type Response, withHeaders } from "../../foundation/http/response.ts";
import { isJsonObject, type JsonObject } from "../../foundation/json/json.ts";
import { contracts } from "../../foundation/spec/contracts.ts";
import { memberObject, operationsOf, valueAt } from "../../foundation/spec/operation.ts";
import { shortened } from "../../foundation/text/shortened.ts";
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
const controlOperations = operationsOf("control", contracts.control);

/** The problem with a member that the body of an action of the control API does not have, such as `label` for `labels`. */
export function unknownMember(method: string, path: string, body: JsonObject): string | undefined {
  const found = controlOperations.find((each) => each.method === method && each.path === path);
  if (found === undefined) return undefined;
  const schema = found.requestSchema === undefined ? undefined : valueAt(contracts.control, found.requestSchema);
  const known = Object.keys(memberObject(isJsonObject(schema) ? schema : {}, "properties"));
  const unknown = Object.keys(body).find((name) => !known.includes(name));
  if (unknown === undefined) return undefined;
  const action = `${method} ${path}`.replace(prefix, "");
  return `${action} has no member ${shortened(JSON.stringify(unknown))}. ${known.length === 0 ? "Send no body." : advise(unknown, known)}`;
}

/** The response to an action on a world that the control API does not have: `POST clock`. Names the nearest actions. */
export function unknownAction(action: string): Response {
  const names = controlOperations
    .filter(({ path }) => path.startsWith(prefix))
    .map(({ method, path }) => `${method} ${path.slice(prefix.length)}`);
  const advice = advise(action, names, "contracts/control.yaml describes all.");
  return problem(404, `The control API has no action ${JSON.stringify(action)} on a world. ${advice}`);
}
