import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate, inflateRaw, zstdDecompress } from "node:zlib";
import { Body, emptyBody } from "../../foundation/http/body.ts";
import type { Exchange } from "../../foundation/http/exchange.ts";
import type { HeaderList } from "../../foundation/http/header.ts";
import type { Message } from "../../foundation/http/message.ts";
import { beyondOutput, codingsMax, codingsOf, isOutputTooLarge, isZlib } from "./content-coding.ts";
import { BeyondLimit, outputBytesMax, type RecordingLimits, recordingLimits } from "./recording-limits.ts";

type Decode = (body: Uint8Array, limits: { readonly maxOutputLength: number }) => Promise<Uint8Array>;

const gzip: Decode = promisify(gunzip);
const zlib: Decode = promisify(inflate);
const bareDeflate: Decode = promisify(inflateRaw);

/** The decoders of `content-coding.ts`, asynchronous. */
const decoders: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ["gzip", gzip],
  ["x-gzip", gzip],
  ["deflate", (body, limits) => (isZlib(body) ? zlib : bareDeflate)(body, limits)],
  ["br", promisify(brotliDecompress)],
  ["zstd", promisify(zstdDecompress)],
]);

/** An exchange with decoded bodies. */
interface DecodedExchange {
  readonly exchange: Exchange;
  /** The reason why the exchange has no bodies; undefined if it has them. */
  readonly omission: string | undefined;
}

/**
 * The exchange with decoded bodies and unchanged headers, as in HAR. A body that cannot be decoded stays. If a body exceeds
 * the limits when decoded, both bodies are omitted, and the response is broken as `unexplained`.
 */
export async function decodeBodies(
  exchange: Exchange,
  limits: RecordingLimits = recordingLimits,
): Promise<DecodedExchange> {
  const { request, response } = exchange;
  if (!isCoded(request.headers) && !isCoded(headersOf(response))) return { exchange, omission: undefined };
  try {
    const [sent, received] = [await decoded(request, limits), await decodedResponse(response, limits)];
    return { exchange: { ...exchange, request: sent, response: received }, omission: undefined };
  } catch (error) {
    if (!(error instanceof BeyondLimit)) throw error;
    const omission = `the bodies are omitted: ${error.message}`;
    return { exchange: withoutBodies(exchange, omission), omission };
  }
}

/** The exchange without its bodies; the reason is that of the response, which is not checked. */
export function withoutBodies(exchange: Exchange, reason: string): Exchange {
  const { request, response } = exchange;
  const head = response.type === "response" ? response : (response.partial ?? { status: 0, headers: [] });
  const bodyLength = response.type === "response" ? response.body.size : (response.partial?.bodyLength ?? 0);
  const partial = { status: head.status, headers: head.headers, body: emptyBody, bodyLength };
  return {
    ...exchange,
    request: { ...request, body: emptyBody },
    response: { type: "broken", kind: "unexplained", reason, partial },
  };
}

async function decodedResponse(response: Exchange["response"], limits: RecordingLimits): Promise<Exchange["response"]> {
  if (response.type === "response") return decoded(response, limits);
  const { partial } = response;
  // A truncated compressed body cannot be decoded.
  if (partial === undefined || partial.body.size < partial.bodyLength) return response;
  const whole = await decoded(partial, limits);
  return { ...response, partial: { ...whole, bodyLength: whole.body.size } };
}

async function decoded<Coded extends Message>(message: Coded, limits: RecordingLimits): Promise<Coded> {
  let body = message.body.bytes();
  const codings = codingsOf(message.headers).toReversed();
  if (codings.length > codingsMax) return message;
  for (const coding of codings) {
    const decode = decoders.get(coding);
    if (decode === undefined || body.length === 0) return message;
    try {
      body = new Uint8Array(await decode(body, { maxOutputLength: outputBytesMax(body.length, limits) }));
    } catch (error) {
      if (isOutputTooLarge(error)) throw beyondOutput(body.length, limits);
      if (error instanceof Error && "code" in error) return message;
      throw error;
    }
  }
  return { ...message, body: new Body(body) };
}

function headersOf(response: Exchange["response"]): HeaderList {
  return response.type === "response" ? response.headers : (response.partial?.headers ?? []);
}

function isCoded(headers: HeaderList): boolean {
  return codingsOf(headers).length > 0;
}
