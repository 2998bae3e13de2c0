import { useMemo, useState } from "preact/hooks";
import type { InspectedExchange, TrafficLine } from "../parts/control-api.ts";
import { BrokenRuleNote } from "./broken-rule-note.tsx";
import { CopyButton } from "./copy-button.tsx";
import { brokenElsewhere, MessagePanel } from "./message-panel.tsx";
import { OutcomeBadge } from "./outcome-badge.tsx";
import { readableTimestamp } from "./readable-timestamp.ts";

interface ExchangeDetailProps {
  readonly worldId: string;
  /** Whether the state of the world is known; false for recorded traffic. */
  readonly hasState: boolean;
  readonly exchange: InspectedExchange;
  readonly compare: () => void;
  readonly close: () => void;
}

/** Shows an exchange: request, response, violations, changes and copy buttons. */
export function ExchangeDetail({ worldId, hasState, exchange, compare, close }: ExchangeDetailProps) {
  const { line, request, response, broken, copies } = exchange;
  const [message, setMessage] = useState("");
  const elsewhere = useMemo(() => brokenElsewhere(response, broken), [response, broken]);
  return (
    <article class="exchange" aria-label={`Exchange ${line.number}`}>
      <div class="exchange-head">
        <h2>
          <span class="exchange-number">#{line.number}</span> {line.method} {line.target.split("?")[0]}{" "}
          <span class="exchange-status">{statusText(line)}</span> <OutcomeBadge outcome={line.outcome} />
        </h2>
        <button type="button" class="close" aria-label="Close" onClick={close}>
          ×
        </button>
      </div>
      <p class="quiet">{factsOf(line).join(" · ")}</p>
      <div class="actions">
        <CopyButton label="curl" text={copies.curl} report={setMessage} />
        <CopyButton label="Arazzo step" text={copies.step} report={setMessage} />
        <CopyButton label="plan entry" text={copies.plan} report={setMessage} />
        <button type="button" onClick={compare}>
          Compare with…
        </button>
        <span role="status">{message}</span>
      </div>
      {elsewhere.map((rule) => (
        <BrokenRuleNote key={`${rule.rule} ${rule.pointer}`} broken={rule} />
      ))}
      {hasState && <Changes worldId={worldId} exchange={exchange} />}
      <div class="sides">
        <MessagePanel title="Request" line={`${line.method} ${line.target}`} message={request} broken={none} />
        <MessagePanel title="Response" line={statusText(line)} message={response} broken={broken} />
      </div>
    </article>
  );
}

const none: readonly [] = [];

/** The status, or how the response broke off. */
export function statusText({ status, broken }: TrafficLine): string {
  return [status === null ? "" : String(status), broken ?? ""].filter((part) => part !== "").join(" ") || "no response";
}

const unexpectedTexts = {
  unsupported: "not supported by Understudy",
  "unknown-path": "unexpected: unknown path",
  "wrong-method": "unexpected: method not allowed",
  unplanned: "unexpected: not planned by the scenario",
} as const;

function factsOf({ operationId, virtualAt, startedAt, durationMs, unexpected }: TrafficLine): readonly string[] {
  return [
    operationId ?? "unsupported",
    `virtual time ${readableTimestamp(virtualAt)}`,
    `received ${readableTimestamp(startedAt)}`,
    `took ${durationMs.toLocaleString("en", { maximumFractionDigits: 1 })} ms`,
    ...(unexpected === null ? [] : [unexpectedTexts[unexpected]]),
  ];
}

const shownChanges = 50;

function Changes({ worldId, exchange }: { readonly worldId: string; readonly exchange: InspectedExchange }) {
  const { line, changes } = exchange;
  const [shown, setShown] = useState(shownChanges);
  const link = `#/world/${encodeURIComponent(worldId)}/${line.number}`;
  return (
    <section class="changes" aria-label="Changes">
      <p>
        {changes.length === 0
          ? "No state change. "
          : `State change: ${changes.length === 1 ? "1 row" : `${changes.length} rows`}. `}
        <a href={link}>Show the world after this exchange</a>
      </p>
      <ul>
        {changes.slice(0, shown).map(({ table, id, change }, index) => (
          <li key={`${index} ${id}`}>
            <span class="quiet">{table}</span> <code>{id}</code> {change}
          </li>
        ))}
      </ul>
      {changes.length > shown && (
        <button type="button" onClick={() => setShown(shown * 4)}>
          {changes.length - shown} more
        </button>
      )}
    </section>
  );
}
