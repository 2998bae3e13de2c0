const names: ReadonlySet<string> = new Set([
  "authorization",
  "cookie",
  "proxy-authorization",
  "sec-websocket-protocol",
  "set-cookie",
]);

/** Whether the value of this header must not be shown or written: it lets whoever reads it act as somebody else. */
export function isSecretHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return names.has(lower) || /(?:-|^)(?:api-?key|key|token|secret)$/.test(lower);
}
