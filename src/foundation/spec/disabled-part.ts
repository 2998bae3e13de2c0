import { isJsonObject, type Json } from "../json/json.ts";
import type { DisabledFeature } from "./contracts.ts";

/** The part of a request that belongs to a deprecated feature. */
export interface DisabledPart {
  /** The part in words. */
  readonly name: string;
  /** Method and path as in the profile, the key of its replacement. */
  readonly request: string;
}

/** Finds the part of a request, given as method and path, that belongs to a feature. `bodyOf` gives its JSON. */
export function disabledPart(
  { endpoints = [], requests = [], member = "" }: DisabledFeature,
  request: string,
  bodyOf: () => Json | undefined,
): DisabledPart | undefined {
  const endpoint = endpoints.find((candidate) => isRequestTo(candidate, request));
  if (endpoint !== undefined) return { name: endpoint, request: endpoint };
  if (!requests.includes(request)) return undefined;
  const body = bodyOf();
  const isGiven = isJsonObject(body) && body[member] !== undefined && body[member] !== null;
  return isGiven ? { name: `the member ${member} of ${request}`, request } : undefined;
}

/** Whether the response to a request with a deprecated part shows that the node serves it: success, or a later error. */
export function isServed(status: number, errorCode: string): boolean {
  if (status === 0 || status === 401 || status === 403 || status >= 500) return false;
  return status < 400 || !["", "DEPRECATED_API_DISABLED"].includes(errorCode);
}

/** Whether a request, as method and path, is one to the endpoint; a parameter matches one segment. */
export function isRequestTo(endpoint: string, request: string): boolean {
  const [expected, given] = [endpoint.split("/"), request.split("/")];
  return (
    expected.length === given.length &&
    expected.every((part, index) => part === given[index] || (part.startsWith("{") && given[index] !== ""))
  );
}
