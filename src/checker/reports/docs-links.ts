/** Where the pages of docs are published: with the package. */
export const docsUrl = "https://unpkg.com/canton-understudy/docs";

/** The description of a rule. */
export function ruleUrl(id: string): string {
  return `${docsUrl}/reference/rules.md#${encodeURIComponent(id)}`;
}

/** The description of a client rule. */
export function clientRuleUrl(id: string): string {
  return `${docsUrl}/reference/client-rules/${encodeURIComponent(id)}.md`;
}

/** The description of a known divergence. */
export function divergenceUrl(id: string): string {
  return `${docsUrl}/reference/divergences.md#${encodeURIComponent(id.toLowerCase())}`;
}
