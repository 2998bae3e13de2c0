import packageJson from "../../../package.json" with { type: "json" };

/** Where the pages of docs are published: with the package of this version. */
export const docsUrl: string = `https://unpkg.com/canton-understudy@${packageJson.version}/docs`;

/** The command that explains an id without a network. */
export function explainCommand(id: string): string {
  return `understudy explain ${id}`;
}

/** The description of a rule. */
export function ruleUrl(id: string): string {
  return `${docsUrl}/reference/rules.md#${encodeURIComponent(id)}`;
}

/** The description of a known divergence. */
export function divergenceUrl(id: string): string {
  return `${docsUrl}/reference/divergences.md#${encodeURIComponent(id.toLowerCase())}`;
}
