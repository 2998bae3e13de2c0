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
  const head = /^.*?\r?\n\r?\n/s.exec(text)?.[0];
  if (head === undefined && !/^[A-Z]+ \/w\/[^/? ]+\//.test(text)) return undefined;
  const [line = "", ...fields] = (head ?? text).split(/\r?\n/);
  const [method = "", target = ""] = line.split(" ");
  return worldOf({ method, target, headers: fields.flatMap(fieldOf), body: noBody }, hasControl);
}

function fieldOf(line: string): HeaderList {
  const colon = line.indexOf(":");
  return colon <= 0 ? [] : [[line.slice(0, colon), line.slice(colon + 1).trim()]];
}
