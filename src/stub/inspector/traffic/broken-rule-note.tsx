import type { BrokenRule } from "../parts/control-api.ts";
import { OutcomeBadge } from "./outcome-badge.tsx";
import "./broken-rule-note.css";

/** Shows a broken rule with expected and actual value. */
export function BrokenRuleNote({ broken }: { readonly broken: BrokenRule }) {
  const { rule, summary, section, outcome, divergence, pointer, expected, actual } = broken;
  return (
    <div class={`broken-rule is-${outcome.toLowerCase()}`} role="note" aria-label={`Broken rule ${rule}`}>
      <p>
        <OutcomeBadge outcome={outcome} /> <code>{rule}</code> {summary}
      </p>
      <dl>
        <dt>expected</dt>
        <dd>{expected}</dd>
        <dt>actual</dt>
        <dd>{actual}</dd>
        {pointer !== "" && (
          <>
            <dt>at</dt>
            <dd>
              <code>{pointer}</code>
            </dd>
          </>
        )}
        <dt>spec</dt>
        <dd>{divergence === null ? `§${section}` : `§${section}, ${divergence}`}</dd>
      </dl>
    </div>
  );
}
