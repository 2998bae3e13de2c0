import type { Exchange } from "../http/exchange.ts";
import type { Message } from "../http/message.ts";
import { type HeaderSecret, secretsInHeaders } from "./secret-header.ts";

/**
 * What the secret headers of an exchange hold, which is a secret wherever else it stands. The id of a user may serve as a
 * token and is a name.
 */
export function secretsOf(exchange: Exchange): readonly HeaderSecret[] {
  const secrets = headerSecretsOf(exchange);
  const users = usersAmong(secrets, exchange, ({ body }) => body.text());
  return secrets.filter(({ text }) => !users.has(text));
}

/** What the secret headers of both messages hold, ids of users too. */
export function headerSecretsOf(exchange: Exchange): readonly HeaderSecret[] {
  return messagesOf(exchange).flatMap(({ headers }) => secretsInHeaders(headers));
}

/** The tokens that the exchange shows to be ids of users. */
export function usersAmong(
  secrets: readonly HeaderSecret[],
  exchange: Exchange,
  textOf: (message: Message) => string | undefined,
): ReadonlySet<string> {
  const tokens = secrets.filter(({ kind }) => kind === "token");
  if (tokens.length === 0) return new Set();
  const texts = messagesOf(exchange).map((message) => textOf(message) ?? "");
  return new Set(tokens.flatMap(({ text }) => (isUser(text, exchange, texts) ? [text] : [])));
}

function messagesOf({ request, response }: Exchange): readonly Message[] {
  const came = response.type === "response" ? response : response.partial;
  return came === undefined ? [request] : [request, came];
}

function isUser(token: string, { request, response }: Exchange, texts: readonly string[]): boolean {
  if (response.type === "response" && response.status < 300 && isUserOfPath(token, request.target)) return true;
  return texts.some((text) => text.includes(token) && isUserIn(text, token, request.target));
}

/** A target that responds about a user has one. */
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
