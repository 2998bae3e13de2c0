import { headerValues } from "../http/header.ts";
import type { Request } from "../http/request.ts";
import { isSecretHeader } from "../http/secret-header.ts";

const left: ReadonlySet<string> = new Set(["host", "content-length", "connection", "accept-encoding", "user-agent"]);

/** A POSIX shell line that sends the request again. A token is named, never shown. */
export function curlLine(request: Request): string {
  const host = headerValues(request.headers, "host")[0];
  const url = /^https?:/.test(request.target)
    ? request.target
    : `${host === undefined ? "$BASE_URL" : `http://${host}`}${request.target}`;
  const headers = request.headers
    .filter(([name, value]) => !left.has(name.toLowerCase()) && !(name.toLowerCase() === "accept" && value === "*/*"))
    .map(([name, value]) => headerWord(name, value));
  const body = new TextDecoder().decode(request.body);
  const data = body === "" ? [] : [`--data-raw ${shellWord(body)}`];
  const address = url.startsWith("$BASE_URL")
    ? `"$BASE_URL"${shellWord(url.slice("$BASE_URL".length))}`
    : shellWord(url);
  return [
    "curl",
    "-sS",
    ...(request.method === "GET" && body === "" ? [] : [`-X ${request.method}`]),
    ...headers,
    ...data,
    address,
  ].join(" ");
}

function headerWord(name: string, value: string): string {
  if (!isSecretHeader(name)) return `-H ${shellWord(`${name}: ${value}`)}`;
  return name.toLowerCase() === "authorization" ? `-H "Authorization: Bearer $TOKEN"` : `-H "${name}: $SECRET"`;
}

/** Text as one word of a POSIX shell. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
