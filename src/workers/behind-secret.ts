import { timingSafeEqual } from "node:crypto";
import type { Handler } from "../http/handler.ts";
import { headerValues } from "../http/header.ts";
import type { Response } from "../http/response.ts";
import { textResponse } from "../http/response.ts";
import { packAnswer, unpackRequest } from "./envelope.ts";

export const secretHeader = "Understudy-Worker-Secret";

/** Answers packed requests of whoever knows the secret, and nobody else: a port on this machine is open to all its users. */
export function behindSecret(secret: string, handler: Handler): (request: Parameters<Handler>[0]) => Promise<Response> {
  return async (packed) => {
    if (!isSame(headerValues(packed.headers, secretHeader)[0] ?? "", secret))
      return textResponse(403, "text/plain; charset=UTF-8", "This port is for the workers of an Understudy alone.");
    const body = packAnswer(await handler(unpackRequest(packed.body)));
    return { type: "response", status: 200, headers: [], body };
  };
}

function isSame(given: string, secret: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(secret)];
  return left.length === right.length && timingSafeEqual(left, right);
}
