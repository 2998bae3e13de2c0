import { headerPairs } from "./header.ts";

/** The head of a request as Node's parser gives it; names and values alternate in `rawHeaders`. */
interface ParsedHead {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly httpVersion: string;
  readonly rawHeaders: readonly string[];
}

/**
 * The head as text with one byte for each character, without `Upgrade`. Node's parser ends at a request with `Upgrade` and
 * leaves the rest to the caller; this head and the rest are then parsed again.
 */
export function headWithoutUpgrade({ method, url, httpVersion, rawHeaders }: ParsedHead): string {
  const kept = headerPairs(rawHeaders).filter(([name]) => name.toLowerCase() !== "upgrade");
  const lines = [`${method} ${url} HTTP/${httpVersion}`, ...kept.map(([name, value]) => `${name}: ${value}`)];
  return `${lines.join("\r\n")}\r\n\r\n`;
}
