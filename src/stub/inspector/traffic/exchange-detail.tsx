import { useMemo, useState } from "preact/hooks";
import type { InspectedExchange, TrafficLine } from "../parts/control-api.ts";
import { BrokenRuleNote } from "./broken-rule-note.tsx";
import { CopyButton } from "./copy-button.tsx";
import { brokenElsewhere, MessagePanel } from "./message-panel.tsx";
import { OutcomeBadge } from "./outcome-badge.tsx";
import { readablePointInTime } from "./readable-time.ts";

interface ExchangeDetailProps {
  readonly worldId: string;
  /** Whether there is a world behind the traffic that could be looked at. */
  readonly isWorldKnown: boolean;
  readonly exchange: InspectedExchange;
  readonly compare: () => void;
  readonly close: () => void;
}

/** An exchange with everything that is known of it. */
export function ExchangeDetail({ worldId, isWorldKnown, exchange, compare, close }: ExchangeDetailProps) {
  const { line, request, response, broken, copies } = exchange;
  const [said, say] = useState("");
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
        <CopyButton label="curl" text={copies.curl} said={say} />
        <CopyButton label="Arazzo step" text={copies.step} said={say} />
        <CopyButton label="plan entry" text={copies.plan} said={say} />
        <button type="button" onClick={compare}>
          Compare with…
        </button>
        <span role="status">{said}</span>
      </div>
      {elsewhere.map((rule) => (
        <BrokenRuleNote key={`${rule.rule} ${rule.pointer}`} broken={rule} />
      ))}
      {isWorldKnown && <Changes worldId={worldId} exchange={exchange} />}
      <div class="sides">
        <MessagePanel title="Request" line={`${line.method} ${line.target}`} message={request} broken={none} />
        <MessagePanel title="Answer" line={statusText(line)} message={response} broken={broken} />
      </div>
    </article>
  );
}

const none: readonly [] = [];

/** How it ended, in a word. */
export function statusText({ status, broken }: TrafficLine): string {
  return [status === null ? "" : String(status), broken ?? ""].filter((part) => part !== "").join(" ") || "no response";
}

const unexpectedTexts = {
  "unknown-path": "unexpected: nothing has this path",
  "wrong-method": "unexpected: this path has no such method",
  unplanned: "unexpected: nobody planned it",
} as const;

function factsOf({ operationId, virtualAt, startedAt, durationMs, unexpected }: TrafficLine): readonly string[] {
  return [
    operationId ?? "outside the contract",
    `virtual time ${readablePointInTime(virtualAt)}`,
    `came ${readablePointInTime(startedAt)}`,
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
          ? "It changed nothing. "
          : `It changed ${changes.length === 1 ? "one row" : `${changes.length} rows`}. `}
        <a href={link}>The world right after it</a>
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
