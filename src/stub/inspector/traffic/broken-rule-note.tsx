import { OutcomeBadge, SeverityBadge, SideBadge } from "../parts/badges.tsx";
import type { Broken } from "../parts/control-api.ts";
import { IdText } from "../parts/id-text.tsx";
import { RuleLink } from "../parts/rule-link.tsx";
import "./broken-rule-note.css";

/** Shows a broken rule with expected and actual value, and for a client rule the advice. */
export function BrokenRuleNote({ broken }: { readonly broken: Broken }) {
  const { rule, section, pointer, expected, actual } = broken;
  const isOfClient = "severity" in broken;
  const kind = isOfClient ? (broken.severity === "error" ? "fail" : "warn") : broken.outcome.toLowerCase();
  return (
    <div
      class={`broken-rule is-${kind}`}
      role="note"
      aria-label={`Broken ${isOfClient ? "client rule" : "rule"} ${rule}`}
    >
      <p>
        {isOfClient && <SideBadge of="client" />}{" "}
        {isOfClient ? <SeverityBadge severity={broken.severity} /> : <OutcomeBadge outcome={broken.outcome} />}{" "}
        <RuleLink id={rule} />
      </p>
      <p>{isOfClient ? broken.sentence : broken.summary}</p>
      <dl>
        <dt>expected</dt>
        <dd>{expected}</dd>
        <dt>actual</dt>
        <dd>
          <IdText text={actual} />
        </dd>
        {pointer !== "" && (
          <>
            <dt>at</dt>
            <dd>
              <code>{pointer}</code>
            </dd>
          </>
        )}
        {isOfClient && (
          <>
            <dt>advice</dt>
            <dd>{broken.advice}</dd>
          </>
        )}
        <dt>spec</dt>
        <dd>
          §{section}
          {!isOfClient && broken.divergence !== null && (
            <>
              , <RuleLink id={broken.divergence} />
            </>
          )}
        </dd>
      </dl>
    </div>
  );
}
