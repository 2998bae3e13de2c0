import type { Response } from "../../foundation/http/response.ts";
import { contracts } from "../../foundation/spec/contracts.ts";
import { operationsOf } from "../../foundation/spec/operation.ts";
import { advise } from "../../foundation/text/suggestion.ts";
import { problem } from "./control-problem.ts";

const prefix = "/__understudy/worlds/{world}/";

/** The response to an action on a world that the control API does not have: `POST clock`. Names the nearest actions. */
export function unknownAction(action: string): Response {
  const names = operationsOf("control", contracts.control)
    .filter(({ path }) => path.startsWith(prefix))
    .map(({ method, path }) => `${method} ${path.slice(prefix.length)}`);
  const advice = advise(action, names, "contracts/control.yaml describes all.");
  return problem(404, `The control API has no action ${JSON.stringify(action)} on a world. ${advice}`);
}
