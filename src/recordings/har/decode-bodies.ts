import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate, inflateRaw, zstdDecompress } from "node:zlib";
import { Body } from "../../foundation/http/body.ts";
import type { Exchange } from "../../foundation/http/exchange.ts";
import type { HeaderList } from "../../foundation/http/header.ts";
import type { Message } from "../../foundation/http/message.ts";
import { codingsOf, decodedBytesMax } from "./content-coding.ts";

type Decode = (body: Uint8Array, limits: { readonly maxOutputLength: number }) => Promise<Uint8Array>;

const gzip: Decode = promisify(gunzip);
const deflate: Decode = promisify(inflate);
const bareDeflate: Decode = promisify(inflateRaw);

/** The decoders of `content-coding.ts`, asynchronous. */
const decoders: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ["gzip", gzip],
  ["x-gzip", gzip],
  ["deflate", (body, limits) => deflate(body, limits).catch(() => bareDeflate(body, limits))],
  ["br", promisify(brotliDecompress)],
  ["zstd", promisify(zstdDecompress)],
]);

/** The exchange with decoded bodies and unchanged headers, as in HAR. A body that cannot be decoded stays. */
export async function decodeBodies(exchange: Exchange): Promise<Exchange> {
  const { request, response } = exchange;
  if (!isCoded(request.headers) && !isCoded(headersOf(response))) return exchange;
  return { ...exchange, request: await decoded(request), response: await decodedResponse(response) };
}

async function decodedResponse(response: Exchange["response"]): Promise<Exchange["response"]> {
  if (response.type === "response") return decoded(response);
  const { partial } = response;
  // A truncated compressed body cannot be decoded.
  if (partial === undefined || partial.body.size < partial.bodyLength) return response;
  const whole = await decoded(partial);
  return { ...response, partial: { ...whole, bodyLength: whole.body.size } };
}

async function decoded<Coded extends Message>(message: Coded): Promise<Coded> {
  let body = message.body.bytes();
  for (const coding of codingsOf(message.headers).toReversed()) {
    const decode = decoders.get(coding);
    if (decode === undefined || body.length === 0) return message;
    try {
      body = new Uint8Array(await decode(body, { maxOutputLength: decodedBytesMax }));
    } catch (error) {
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
