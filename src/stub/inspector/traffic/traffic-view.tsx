import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { controlApi, type InspectedExchange, type TrafficLine, type WorldStatus } from "../parts/control-api.ts";
import { useResponse } from "../parts/use-live.ts";
import type { ViewProps } from "../parts/view-props.ts";
import { ExchangeDetail, statusText } from "./exchange-detail.tsx";
import { ExchangeDiff } from "./exchange-diff.tsx";
import { atNumber } from "./index-from.ts";
import { OutcomeBadge } from "./outcome-badge.tsx";
import { readableTimestamp } from "./readable-timestamp.ts";
import { filteredLines, noFilter } from "./traffic-filter.ts";
import { TrafficFilters } from "./traffic-filters.tsx";
import { useCursor } from "./use-cursor.ts";
import { useTraffic } from "./use-traffic.ts";
import { VirtualList } from "./virtual-list.tsx";
import "./traffic-view.css";

/** Live list of exchanges, with the selected exchange or the comparison of two. */
export function TrafficView({ world, selected, select }: ViewProps) {
  const { log, problem } = useTraffic(world);
  const [filter, setFilter] = useState(noFilter);
  const [compared, setCompared] = useState(0);
  const [cursor, moveCursor] = useCursor(selected, select);
  const shown = useMemo(() => filteredLines(log.lines, filter), [log.lines, filter]);
  const close = () => {
    setCompared(0);
    select(0);
  };
  useEffect(() => setCompared(0), [world.epoch]);
  return (
    <div class={selected === 0 ? "traffic" : "traffic with-exchange"}>
      <TrafficFilters
        filter={filter}
        facets={log.facets}
        change={setFilter}
        shown={shown.length}
        all={log.lines.length}
      />
      {problem !== undefined && <p class="problem">{problem}</p>}
      <VirtualList
        label="Exchanges"
        columns={columns}
        rows={shown}
        cellsOf={cellsOf}
        kindOf={({ number }) => (number === compared ? "is-compared" : "")}
        selected={cursor}
        onSelect={moveCursor}
      />
      {selected !== 0 && (
        <section class="traffic-exchange" aria-label="Selected exchange">
          <Selected
            world={world}
            line={atNumber(log.lines, selected)}
            number={selected}
            compared={compared}
            compare={setCompared}
            close={close}
          />
        </section>
      )}
    </div>
  );
}

const columns = [
  { name: "number", title: "#" },
  { name: "timestamp", title: "Virtual time" },
  { name: "request", title: "Request" },
  { name: "operation", title: "Operation" },
  { name: "status", title: "Status" },
  { name: "outcome", title: "Rules" },
  { name: "changes", title: "Changes" },
  { name: "marks", title: "Marks" },
] as const;

function cellsOf(line: TrafficLine) {
  return [
    line.number,
    <span key="timestamp" title={line.virtualAt}>
      {readableTimestamp(line.virtualAt).slice(5)}
    </span>,
    <span key="request" title={`${line.method} ${line.target}`}>
      <b>{line.method}</b> {line.target}
    </span>,
    line.operationId ?? "–",
    <span key="status" class={`status-${line.broken === null ? String(line.status)[0] : "broken"}`}>
      {statusText(line)}
    </span>,
    <span key="outcome" title={line.rules.join(", ")}>
      <OutcomeBadge outcome={line.outcome} />
    </span>,
    line.changes === 0 ? "" : line.changes,
    line.unexpected === null ? "" : <span key="marks">⚠ unexpected</span>,
  ];
}

/** Fetches an exchange, and again when its rule results change. */
function useExchange(worldId: string, number: number, line: TrafficLine | undefined) {
  const results = useRef("");
  const known = useRef<InspectedExchange>(undefined);
  if (line !== undefined) results.current = resultsOf(line);
  const fetchExchange = async () => {
    const last = known.current;
    const isCurrent = last?.line.number === number && (line === undefined || resultsOf(last.line) === results.current);
    return isCurrent ? last : controlApi.exchange(worldId, number);
  };
  const fetched = useResponse(fetchExchange, [number, results.current]);
  known.current = fetched.value;
  return fetched;
}

function resultsOf({ outcome, rules }: TrafficLine): string {
  return [outcome, ...rules].join();
}

interface SelectedProps {
  readonly world: WorldStatus;
  readonly line: TrafficLine | undefined;
  readonly number: number;
  /** The number of the exchange that others are compared with; 0 for none. */
  readonly compared: number;
  readonly compare: (number: number) => void;
  readonly close: () => void;
}

/**
 * Shows the selected exchange. The previous exchange stays until the next one is loaded, so the layout does not jump. An
 * exchange that the journal drops stays while it is selected.
 */
function Selected({ world, line, number, compared, compare, close }: SelectedProps) {
  const { value, problem } = useExchange(world.id, number, line);
  const other = useResponse(
    async () => (compared === 0 ? undefined : controlApi.exchange(world.id, compared)),
    [compared],
  );
  if (problem !== undefined && value?.line.number !== number)
    return (
      <p class="problem">
        {problem}{" "}
        <button type="button" onClick={close}>
          Close
        </button>
      </p>
    );
  if (value === undefined) return <p class="quiet">…</p>;
  if (compared !== 0 && compared !== number && other.value?.line.number === compared)
    return <ExchangeDiff left={other.value} right={value} stop={() => compare(0)} />;
  return (
    <>
      {compared !== 0 && (
        <p class="comparing" role="status">
          Choose the exchange to compare #{compared} with.{" "}
          <button type="button" onClick={() => compare(0)}>
            Stop comparing
          </button>
        </p>
      )}
      <ExchangeDetail
        key={value.line.number}
        worldId={world.id}
        hasState={world.hasState}
        exchange={value}
        compare={() => compare(number)}
        close={close}
      />
    </>
  );
}
