import { useMemo, useState } from "preact/hooks";
import { FaultBadge, OutcomeBadge, ProblemName } from "../parts/badges.tsx";
import type { InspectedExchange, TrafficLine } from "../parts/control-api.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { durationText } from "../parts/date-time.ts";
import { withShortIds } from "../parts/id-parts.ts";
import { IdText } from "../parts/id-text.tsx";
import { areClientsChecked, areResponsesChecked, problemsOf, type Sides } from "../parts/problems.ts";
import { BrokenRuleNote } from "./broken-rule-note.tsx";
import { brokenElsewhere, MessagePanel } from "./message-panel.tsx";
import { readableTimestamp } from "./readable-timestamp.ts";

interface ExchangeDetailProps {
  readonly worldId: string;
  /** Recorded traffic has no states. */
  readonly sides: Sides;
  readonly exchange: InspectedExchange;
  readonly compare: () => void;
  readonly close: () => void;
}

/** Shows an exchange: request, response, violations, changes and copy buttons. */
export function ExchangeDetail({ worldId, sides, exchange, compare, close }: ExchangeDetailProps) {
  const { line, request, response, copies } = exchange;
  const [message, setMessage] = useState("");
  const isChecked = areResponsesChecked(sides);
  const broken = isChecked ? exchange.broken : none;
  const clientFindings = areClientsChecked(sides) ? exchange.clientFindings : none;
  const elsewhere = useMemo(
    () => [...brokenElsewhere(request, clientFindings), ...brokenElsewhere(response, broken)],
    [request, clientFindings, response, broken],
  );
  return (
    <article class="exchange" aria-label={`Exchange ${line.number}`}>
      <div class="exchange-head">
        <h2>
          <span class="exchange-number">#{line.number}</span> {line.method}{" "}
          {withShortIds(line.target.split("?")[0] ?? "")} <span class={statusClass(line)}>{statusText(line)}</span>{" "}
          {line.outcome === "PLANNED" ? <FaultBadge /> : isChecked && <OutcomeBadge outcome={line.outcome} />}
        </h2>
        <button type="button" class="close" aria-label="Close" title="Close (Esc)" onClick={close}>
          ×
        </button>
      </div>
      <Problems line={line} sides={sides} />
      <dl class="exchange-facts">
        {factsOf(line, sides).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div class="actions">
        <CopyButton label="as curl" text={copies.curl} report={setMessage} />
        <CopyButton label="as Arazzo step" text={copies.step} report={setMessage} />
        <CopyButton label="as plan entry" text={copies.plan} report={setMessage} />
        <button type="button" onClick={compare}>
          Compare with…
        </button>
        <span role="status">{message}</span>
      </div>
      {elsewhere.map((rule) => (
        <BrokenRuleNote key={`${rule.rule} ${rule.pointer}`} broken={rule} />
      ))}
      {sides.isStub && <Changes worldId={worldId} exchange={exchange} />}
      <div class="sides">
        <MessagePanel
          title="Request"
          line={`${line.method} ${line.target}`}
          message={request}
          broken={clientFindings}
        />
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

/** The class of a status: a success has no colour of its own, so that the others stand out. */
export function statusClass({ status, broken }: TrafficLine): string {
  return `status status-${broken === null ? String(status)[0] : "broken"}`;
}

type Fact = readonly [name: string, value: string];

function factsOf(line: TrafficLine, { isStub }: Sides): readonly Fact[] {
  const { operationId, virtualAt, startedAt, durationMs, reason } = line;
  return [
    ...(reason === null ? [] : [["Reason", reason] as const]),
    ["Operation", operationId ?? "unsupported"],
    ...(isStub ? [["Virtual time", readableTimestamp(virtualAt)] as const] : []),
    ["Received (UTC)", readableTimestamp(startedAt)],
    ["Took", durationText(durationMs)],
  ];
}

/** The problems of the exchange, with links to their rules. */
function Problems({ line, sides }: { readonly line: TrafficLine; readonly sides: Sides }) {
  const problems = problemsOf(line, sides);
  if (problems.length === 0) return null;
  return (
    <ul class="exchange-problems" aria-label="Problems of the exchange">
      {problems.map((problem) => (
        <li key={`${problem.of} ${problem.name}`}>
          <ProblemName problem={problem} />
        </li>
      ))}
    </ul>
  );
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
            <span class="quiet">{table}</span>{" "}
            <code>
              <IdText text={id} />
            </code>{" "}
            {change}
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
