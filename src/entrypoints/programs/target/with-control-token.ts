import type { Handler } from "../../../foundation/http/handler.ts";
import type { Request } from "../../../foundation/http/request.ts";
import { isControl, requiresControlToken } from "../../../stub/control/access.ts";

/** Sends the token only to the control API of a stub that requires one. */
export function withControlToken(handler: Handler, token: string | undefined): Handler {
  if (token === undefined) return handler;
  let isRequired = false;
  const withToken = (request: Request): ReturnType<Handler> => {
    const others = request.headers.filter(([name]) => name.toLowerCase() !== "authorization");
    return handler({ ...request, headers: [...others, ["Authorization", `Bearer ${token}`]] });
  };
  return async (request) => {
    if (!isControl(request.target)) return handler(request);
    if (isRequired) return withToken(request);
    const response = await handler(request);
    isRequired = requiresControlToken(response);
    return isRequired ? withToken(request) : response;
  };
}
