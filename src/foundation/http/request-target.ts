/** A request target without its origin: servers accept absolute targets (RFC 9112 §3.2.2). */
export function withoutOrigin(target: string): string {
  if (target.startsWith("/")) return target;
  const origin = /^https?:\/\/[^/?]*/i.exec(target)?.[0];
  if (origin === undefined) return target;
  const relative = target.slice(origin.length);
  return relative.startsWith("/") ? relative : `/${relative}`;
}
