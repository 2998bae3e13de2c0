import { defaultWorldId } from "../hosting/hosting.ts";
import type { HeaderList } from "../http/header.ts";
import { worldOf } from "./world-of.ts";

const noBody = new Uint8Array();
const decoder = new TextDecoder("latin1");

/**
 * The world that the first request of a connection is for, as far as its first bytes tell: a hint, for what is no HTTP is
 * refused by whoever gets it. Undefined where more bytes are needed.
 */
export function worldInHead(bytes: Uint8Array, hasControl: boolean): string | undefined {
  const text = decoder.decode(bytes).replace(/^(?:\r?\n)+/, "");
  if (!beginningOfRequest.test(text)) return defaultWorldId;
  const head = /^.*?\r?\n\r?\n/s.exec(text)?.[0];
  if (head === undefined && !/^[A-Z]+ \/w\/[^/? ]+\//.test(text)) return undefined;
  const [line = "", ...fields] = (head ?? text).split(/\r?\n/);
  const [method = "", target = ""] = line.split(" ");
  return worldOf({ method, target, headers: fields.flatMap(fieldOf), body: noBody }, hasControl);
}

/** A method, and what follows it; a client that speaks TLS or anything else would wait for an answer. */
const beginningOfRequest = /^(?:\r|[!#$%&'*+.^_`|~0-9A-Za-z-]*(?: |$))/;

function fieldOf(line: string): HeaderList {
  const colon = line.indexOf(":");
  return colon <= 0 ? [] : [[line.slice(0, colon), line.slice(colon + 1).trim()]];
}
