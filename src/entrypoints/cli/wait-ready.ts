import { setTimeout as wait } from "node:timers/promises";
import { emptyBody } from "../../foundation/http/body.ts";
import { sendOverHttp, Unreachable } from "../../transport/client/send-over-http.ts";
import { exitCodes, UserError } from "../programs/user-error.ts";
import { timeoutFlag, timeoutMsOf } from "./flags/timeout.ts";
import type { Command, Environment, Options } from "./options.ts";

/** Time between two requests. */
const pauseMs = 200;

export const waitReady: Command = {
  name: "wait-ready",
  usage: "wait-ready URL [flags]",
  flags: [timeoutFlag("how long to wait (default 30)")],
  examples: [
    "understudy wait-ready http://127.0.0.1:2975",
    "understudy wait-ready http://127.0.0.1:2000/api/validator --timeout 300",
  ],
  run: runWaitReady,
};

/** Waits until `/readyz` below the URL responds with 200. */
async function runWaitReady(options: Options, environment: Environment): Promise<number> {
  const [base, ...others] = options.positionals;
  if (base !== undefined && /^[\w.-]+:\d+(?:\/|$)/.test(base))
    throw new UserError(`wait-ready ${base} has neither http:// nor https://: write http://${base}.`);
  if (base === undefined || others.length > 0 || !/^https?:/.test(base) || !URL.canParse(base))
    throw new UserError("wait-ready needs one URL: understudy wait-ready http://127.0.0.1:2975");
  const timeoutMs = timeoutMsOf(options);
  const url = new URL(`${base.replace(/\/+$/, "")}/readyz`);
  const startMs = performance.now();
  for (;;) {
    const elapsedMs = performance.now() - startMs;
    const answer = await answerOf(url, Math.max(1, timeoutMs - elapsedMs), environment);
    if (answer === "ready") break;
    if (performance.now() - startMs + pauseMs > timeoutMs)
      throw new UserError(`${url} is not ready after ${timeoutMs / 1000} s: ${answer}.`, exitCodes.unreachable);
    environment.progress(`waiting for ${url} (${answer})`);
    await wait(pauseMs);
  }
  environment.print(options.flag("json") ? JSON.stringify({ event: "ready", url: base }) : `${base} is ready.`);
  return exitCodes.fine;
}

/** `ready`, or why it is not. */
async function answerOf(url: URL, timeoutMs: number, { variables }: Environment): Promise<string> {
  const send = sendOverHttp(url.origin, { timeoutMs, responseBytesMax: 65_536, variables });
  try {
    const response = await send({
      method: "GET",
      target: `${url.pathname}${url.search}`,
      headers: [],
      body: emptyBody,
    });
    if (response.type === "broken") return response.reason ?? response.kind;
    return response.status === 200 ? "ready" : `status ${response.status}`;
  } catch (error) {
    if (error instanceof Unreachable) return error.reason;
    throw error;
  }
}
