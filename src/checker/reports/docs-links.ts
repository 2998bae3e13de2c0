/** Where the pages of docs are published: with the package. */
export const docsUrl = "https://unpkg.com/canton-understudy/docs";

/** The description of a rule. */
export function ruleUrl(id: string): string {
  return `${docsUrl}/rules.md#${encodeURIComponent(id)}`;
}

/** The description of a client rule. */
export function clientRuleUrl(id: string): string {
  return `${docsUrl}/client-rules/${encodeURIComponent(id)}.md`;
}

/** The description of a known divergence. */
export function divergenceUrl(id: string): string {
  return `${docsUrl}/divergences.md#${encodeURIComponent(id.toLowerCase())}`;
}
