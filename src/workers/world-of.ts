import { controlPrefix } from "../control/access.ts";
import { addressed } from "../hosting/hosting.ts";
import type { Request } from "../http/request.ts";

const controlledWorld = /^\/worlds\/([^/?]+)/;

/** The id of the world that a request is for, whether it speaks to the world or of it. */
export function worldOf(request: Request, hasControl: boolean): string {
  const { target } = request;
  const isControl = hasControl && target.startsWith(`${controlPrefix}/`);
  const controlled = isControl ? controlledWorld.exec(target.slice(controlPrefix.length))?.[1] : undefined;
  return controlled ?? addressed(request).id;
}
