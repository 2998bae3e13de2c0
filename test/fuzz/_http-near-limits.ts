import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import type { LimitValues } from "../../src/foundation/limits/limits.ts";
import { below, isDrawn, oneOf, type Random } from "./_draw.ts";
import { bodyOf } from "./_http-bodies.ts";
import { nearLimit } from "./_near-limits.ts";

/** A well-formed request close to a limit. */
export interface RequestNearLimit {
  readonly text: string;
  /** Bytes of its body. */
  readonly bodyBytes: number;
}

type HttpLimits = Pick<LimitValues, "bodyBytesMax" | "headBytesMax" | "headersMax" | "targetBytesMax">;

const codings = { gzip: gzipSync, br: brotliCompressSync, zstd: zstdCompressSync, deflate: deflateSync } as const;

/** A request with a body, a chunk size, a compression ratio, or a head close to a limit; a character is a byte. */
export function requestNearLimit(random: Random, limits: HttpLimits): RequestNearLimit {
  if (isDrawn(random, 0.2)) return { text: headNearLimit(random, limits), bodyBytes: 0 };
  const fields = ["Content-Type: application/json"];
  let body = bodyOf(random, limits.bodyBytesMax);
  if (isDrawn(random, 0.2)) {
    const coding = oneOf(random, ["gzip", "br", "zstd", "deflate"] as const);
    body = codings[coding](Buffer.from(body, "latin1")).toString("latin1");
    fields.push(`Content-Encoding: ${coding}`);
  }
  const isChunked = isDrawn(random, 0.5);
  fields.push(isChunked ? "Transfer-Encoding: chunked" : `Content-Length: ${body.length}`);
  const content = isChunked ? inChunks(body, oneOf(random, [1, 2, 7, 1000, 4096, 65_536])) : body;
  return { text: head("POST", "/v2/users/alice/rights", fields) + content, bodyBytes: body.length };
}

function headNearLimit(random: Random, { headBytesMax, headersMax, targetBytesMax }: HttpLimits): string {
  switch (below(random, 3)) {
    case 0:
      return head("GET", `/v2/users?a=${"b".repeat(Math.max(0, nearLimit(random, targetBytesMax) - 13))}`, []);
    case 1:
      return head("GET", "/v2/users", Array<string>(Math.max(0, nearLimit(random, headersMax) - 2)).fill("X: a"));
    default:
      return head("GET", "/v2/users", [`X: ${"a".repeat(Math.max(0, nearLimit(random, headBytesMax) - 60))}`]);
  }
}

function head(method: string, target: string, fields: readonly string[]): string {
  const lines = [`${method} ${target} HTTP/1.1`, "Host: 127.0.0.1", "Authorization: Bearer any", ...fields];
  return `${lines.join("\r\n")}\r\n\r\n`;
}

function inChunks(body: string, size: number): string {
  const chunks: string[] = [];
  for (let at = 0; at < body.length; at += size) {
    const chunk = body.slice(at, at + size);
    chunks.push(`${chunk.length.toString(16)}\r\n${chunk}\r\n`);
  }
  return `${chunks.join("")}0\r\n\r\n`;
}
