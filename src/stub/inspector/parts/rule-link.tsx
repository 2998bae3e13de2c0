import { clientRuleUrl, divergenceUrl, ruleUrl } from "../../../checker/reports/docs-links.ts";

/** The name of a rule or a client rule, with a link to its page. */
export function RuleLink({ rule, isOfClient }: { readonly rule: string; readonly isOfClient: boolean }) {
  return <DocsLink href={isOfClient ? clientRuleUrl(rule) : ruleUrl(rule)}>{rule}</DocsLink>;
}

/** The id of a known divergence, with a link to its description. */
export function DivergenceLink({ id }: { readonly id: string }) {
  return <DocsLink href={divergenceUrl(id)}>{id}</DocsLink>;
}

function DocsLink({ href, children }: { readonly href: string; readonly children: string }) {
  return (
    <a class="code" href={href} target="_blank" rel="noreferrer">
      {children}
    </a>
  );
}
