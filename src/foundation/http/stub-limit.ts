import { type HeaderList, headerValue } from "./header.ts";
import { type Response, withHeaders } from "./response.ts";

const name = "Understudy-Limit";

/**
 * The header of a response that comes from a limit of the stub instead of the simulated node, such as `worldsMax`. The
 * checker applies no rule to such a response.
 */
export function stubLimitHeader(limit: string): readonly [name: string, value: string] {
  return [name, limit];
}

export function withStubLimit(response: Response, limit: string): Response {
  return withHeaders(response, [stubLimitHeader(limit)]);
}

/** The limit of the stub that a response comes from; undefined for a response of a node. */
export function stubLimitOf(headers: HeaderList): string | undefined {
  return headerValue(headers, name.toLowerCase());
}
