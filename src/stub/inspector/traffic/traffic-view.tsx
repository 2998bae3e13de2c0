import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Waiting } from "../frame/waiting.tsx";
import { OutcomeBadge } from "../parts/badges.tsx";
import { controlApi, type InspectedExchange, type TrafficLine, type WorldStatus } from "../parts/control-api.ts";
import { durationText } from "../parts/date-time.ts";
import { withShortIds } from "../parts/id-parts.ts";
import { MiddleCut } from "../parts/middle-cut.tsx";
import { areResponsesChecked, problemKinds, type Sides } from "../parts/problems.ts";
import { useResponse } from "../parts/use-live.ts";
import type { ViewProps } from "../parts/view-props.ts";
import { ExchangeDetail, statusClass, statusText } from "./exchange-detail.tsx";
import { ExchangeDiff } from "./exchange-diff.tsx";
import { atNumber } from "./index-from.ts";
import { ProblemCell, ProblemList } from "./problem-list.tsx";
import { readableTimestamp } from "./readable-timestamp.ts";
import { filteredLines, noFilter } from "./traffic-filter.ts";
import { TrafficFilters } from "./traffic-filters.tsx";
import { useCursor } from "./use-cursor.ts";
import { useTraffic } from "./use-traffic.ts";
import { VirtualList } from "./virtual-list.tsx";
import "./exchange.css";
import "./traffic-view.css";

/** Live list of exchanges below their problems, with the selected exchange or the comparison of two. */
export function TrafficView({ world, baseUrl, selected, select, sides, showBoth }: ViewProps) {
  const { log, problem } = useTraffic(world);
  const [filter, setFilter] = useState(noFilter);
  const [compared, setCompared] = useState(0);
  const [cursor, moveCursor] = useCursor(selected, select);
  const { isStub, areBothShown } = sides;
  const keys = [log.lines, isStub, areBothShown];
  const shown = useMemo(() => filteredLines(log.lines, filter, sides), [...keys, filter]);
  const kinds = useMemo(() => problemKinds(log.lines, sides), keys);
  const problems = useMemo(() => filteredLines(log.lines, { ...noFilter, problems: "only" }, sides).length, keys);
  const hasRules = areResponsesChecked(sides);
  const { list, panel, returnFocus } = useFocus(selected);
  const close = () => {
    setCompared(0);
    select(0);
    returnFocus();
  };
  useEffect(() => setCompared(0), [world.epoch]);
  useEscape(selected === 0 ? undefined : compared === 0 ? close : () => setCompared(0));
  if (world.last === 0) return <Waiting world={world} baseUrl={baseUrl} />;
  const isComparing = compared !== 0 && compared === selected;
  return (
    <div class={`traffic${selected === 0 ? "" : " with-exchange"}${isComparing ? " is-comparing" : ""}`}>
      <TrafficFilters
        filter={filter}
        facets={log.facets}
        change={setFilter}
        shown={shown.length}
        lines={log.lines}
        problems={problems}
        sides={sides}
        showBoth={showBoth}
      />
      {problem !== undefined && <p class="problem">{problem}</p>}
      <div class="traffic-panes">
        <div class={`traffic-list${hasRules ? " with-rules" : ""}${isStub ? "" : " of-node"}`} ref={list}>
          <ProblemList kinds={kinds} select={select} />
          <VirtualList
            label="Exchanges"
            columns={columnsOf(sides)}
            rows={shown}
            cellsOf={(line) => cellsOf(line, sides)}
            kindOf={({ number }) => (number === compared ? "is-compared" : "")}
            selected={cursor}
            onSelect={moveCursor}
          />
        </div>
        {selected !== 0 && (
          <section ref={panel} class="traffic-exchange" aria-label="Selected exchange" tabIndex={-1}>
            <Selected
              world={world}
              sides={sides}
              line={atNumber(log.lines, selected)}
              number={selected}
              compared={compared}
              compare={setCompared}
              close={close}
            />
          </section>
        )}
      </div>
    </div>
  );
}

/** Moves the focus to an exchange that takes the place of the list, as on a phone, and back to the list when it is closed. */
function useFocus(selected: number) {
  const list = useRef<HTMLDivElement>(null);
  const panel = useRef<HTMLElement>(null);
  const isClosing = useRef(false);
  useEffect(() => {
    if (selected === 0 && isClosing.current) list.current?.querySelector<HTMLElement>('[role="grid"]')?.focus();
    isClosing.current = false;
    if (selected !== 0 && list.current?.offsetParent === null) panel.current?.focus();
  }, [selected]);
  const returnFocus = () => {
    isClosing.current = true;
  };
  return { list, panel, returnFocus };
}

/** Calls `act` on Escape, except in fields, where the key belongs to the browser. */
function useEscape(act: (() => void) | undefined): void {
  useEffect(() => {
    if (act === undefined) return;
    const listen = ({ key, target }: KeyboardEvent) => {
      const isField = target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
      if (key === "Escape" && !isField && document.querySelector(":popover-open") === null) act();
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  });
}

const columns = [
  { name: "number", title: "#" },
  { name: "received", title: "Received" },
  { name: "took", title: "Took" },
  { name: "timestamp", title: "Virtual time" },
  { name: "request", title: "Request" },
  { name: "operation", title: "Operation" },
  { name: "status", title: "Status" },
  { name: "changes", title: "Changes" },
  { name: "problems", title: "Problems" },
  { name: "outcome", title: "Rules" },
] as const;

/** Recorded traffic has no virtual time. Rules have a column where responses are checked. */
function columnsOf(sides: Sides) {
  return columns.filter(
    ({ name }) => (areResponsesChecked(sides) || name !== "outcome") && (sides.isStub || name !== "timestamp"),
  );
}

function cellsOf(line: TrafficLine, sides: Sides) {
  return [
    line.number,
    <span key="received" title={`${readableTimestamp(line.startedAt)} UTC`}>
      {line.startedAt.slice(11, 19)}
      <span class="fraction">{line.startedAt.slice(19, 23)}</span>
    </span>,
    durationText(line.durationMs),
    ...(sides.isStub
      ? [
          <span key="timestamp" title={readableTimestamp(line.virtualAt)}>
            {readableTimestamp(line.virtualAt).slice(5, 19)}
          </span>,
        ]
      : []),
    <span key="request" class="request" title={`${line.method} ${line.target}`}>
      <b>{line.method}</b> <MiddleCut text={withShortIds(line.target)} />
    </span>,
    line.operationId === null ? "–" : <MiddleCut key="operation" text={line.operationId} />,
    <span key="status" class={statusClass(line)}>
      {statusText(line)}
    </span>,
    line.changes === 0 ? "" : line.changes,
    <ProblemCell key="problems" line={line} sides={sides} />,
    ...(areResponsesChecked(sides)
      ? [
          <span key="outcome" title={line.rules.map(({ rule }) => rule).join(", ")}>
            {line.outcome === "PLANNED" ? "" : <OutcomeBadge outcome={line.outcome} />}
          </span>,
        ]
      : []),
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

function resultsOf({ outcome, rules, clientRules }: TrafficLine): string {
  return [outcome, ...[...rules, ...clientRules].map(({ rule }) => rule)].join();
}

interface SelectedProps {
  readonly world: WorldStatus;
  readonly sides: Sides;
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
function Selected({ world, sides, line, number, compared, compare, close }: SelectedProps) {
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
        sides={sides}
        exchange={value}
        compare={() => compare(number)}
        close={close}
      />
    </>
  );
}
