import type { Exchange } from "./exchange.ts";
import type { HeaderList } from "./header.ts";
import { type HeaderSecret, secretsInHeaders } from "./secret-header.ts";

interface Message {
  readonly headers: HeaderList;
  readonly body: Uint8Array;
}

const decoder = new TextDecoder();

/**
 * What the secret headers of an exchange hold, which is a secret wherever else it stands. The id of a user may serve as a
 * token and is a name: the exchange shows it as one.
 */
export function secretsOf(
  exchange: Exchange,
  textOf: (message: Message) => string | undefined = ({ body }) => decoder.decode(body),
): readonly HeaderSecret[] {
  const { request, answer } = exchange;
  const came = answer.type === "response" ? answer : answer.partial;
  const messages = came === undefined ? [request] : [request, came];
  const secrets = messages.flatMap(({ headers }) => secretsInHeaders(headers));
  if (secrets.length === 0) return secrets;
  const texts = secrets.some(({ kind }) => kind === "token") ? messages.map((message) => textOf(message) ?? "") : [];
  return secrets.filter(({ text, kind }) => kind !== "token" || !isUser(text, exchange, texts));
}

function isUser(token: string, { request, answer }: Exchange, texts: readonly string[]): boolean {
  if (answer.type === "response" && answer.status < 300 && isUserOfPath(token, request.target)) return true;
  return texts.some((text) => text.includes(token) && isUserIn(text, token, request.target));
}

/** A target that answers about a user has one. */
function isUserOfPath(token: string, target: string): boolean {
  const segments = (target.split(/[?#]/)[0] ?? "").split("/");
  return segments.some(
    (segment, at) => segments[at - 1] === "users" && (segment === token || segment === encodeURIComponent(token)),
  );
}

const userMember = /"(userId|user_id|sub|id)"\s*:\s*("(?:[^"\\]|\\.)*")/g;

/** Others than users have an id too. */
function isUserIn(text: string, token: string, target: string): boolean {
  const isOfUsers = /\/users(?:[/?]|$)/.test(target);
  const written = JSON.stringify(token);
  return [...text.matchAll(userMember)].some(([, name, value]) => value === written && (name !== "id" || isOfUsers));
}
