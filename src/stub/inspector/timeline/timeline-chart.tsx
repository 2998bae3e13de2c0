import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Timeline, TrafficLine } from "../parts/control-api.ts";
import { dateTimeOf, periodOf } from "../parts/date-time.ts";
import type { Sides } from "../parts/problems.ts";
import { ExchangeLanes, laneHeight } from "./exchange-lanes.tsx";
import { kinds, marksOf, singlesOf, type TimelineMark } from "./exchange-marks.ts";
import { apart, moved, placeIn, spanOf, type TimeSpan, ticksOf, zoomed } from "./time-scale.ts";

interface TimelineChartProps {
  readonly timeline: Timeline;
  readonly lines: readonly TrafficLine[];
  readonly times: Float64Array;
  readonly sides: Sides;
  readonly chosen: TimelineMark | undefined;
  readonly choose: (mark: TimelineMark) => void;
}

const axisHeight = 28;
const contractHeight = 34;
const footHeight = 8;
/** Exchanges closer than this are one mark. */
const nearPx = 24;
/** Space between the ends of the axis and the first and last timestamp, so that marks are whole. */
const edgePx = 32;
/** Width of the lane names beside the plot. In a narrow chart they are within it. */
const namesPx = 208;
const narrowPx = 640;

/** Chart of exchanges, plan and reassignments over virtual time. */
export function TimelineChart({ timeline, lines, times, sides, chosen, choose }: TimelineChartProps) {
  const box = useRef<HTMLElement>(null);
  const width = useWidth(box);
  const names = width < narrowPx ? 0 : namesPx;
  const plot = width - names;
  const all = useMemo(() => spanOf(timesOf(timeline)), [timeline]);
  const [zoom, setZoom] = useState<TimeSpan>();
  const span = zoom ?? all;
  const nearMs = ((span.untilMs - span.fromMs) / plot) * nearPx;
  const marks = useMemo(() => marksOf(lines, times, nearMs, sides), [lines, times, nearMs, sides.areBothShown]);
  const contracts = [...new Set(timeline.windows.map(({ contract }) => contract))];
  const placeInside = placeIn(span, plot - 2 * edgePx);
  const place = (ms: number) => placeInside(ms) + edgePx;
  const planTop = axisHeight + kinds.length * laneHeight;
  const contractsTop = planTop + laneHeight;
  const lanes = [
    ...kinds.map(({ title }, index) => ({ title, top: axisHeight + index * laneHeight })),
    { title: "Plan", top: planTop },
    ...contracts.map((title, index) => ({ title, top: contractsTop + index * contractHeight })),
  ];
  const height = contractsTop + contracts.length * contractHeight + footHeight;
  const nowMs = Date.parse(timeline.now);
  const keys = zoomKeys(span, setZoom);
  return (
    <div class="chart">
      <ZoomButtons keys={keys} />
      <section
        ref={box}
        class="drawing"
        aria-label="Timeline chart. Plus and minus zoom, arrow keys move, 0 shows all."
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the chart is moved and zoomed by keys
        tabIndex={0}
        onKeyDown={(event) => actOnKey(event, keys)}
      >
        <svg width={width} height={height}>
          <title>Timeline</title>
          <LaneNames lanes={lanes} width={width} isInside={names === 0} />
          {/* biome-ignore lint/a11y/noSvgWithoutTitle: it only clips; the chart has a title */}
          <svg x={names} width={plot} height={height}>
            <Axis span={span} place={place} nowMs={nowMs} width={plot} height={height} />
            <Now x={place(nowMs)} nowMs={nowMs} height={height} width={plot} />
            <ExchangeLanes
              marks={marks}
              singlesOf={(mark) => singlesOf(mark, lines, times, sides)}
              top={axisHeight}
              place={place}
              width={plot}
              chosen={chosen}
              choose={choose}
            />
            <PlanLane timeline={timeline} top={planTop} place={place} width={plot} />
            {contracts.map((contract, index) => (
              <ContractLane
                key={contract}
                contract={contract}
                timeline={timeline}
                top={contractsTop + index * contractHeight}
                place={place}
                width={plot}
              />
            ))}
          </svg>
        </svg>
      </section>
    </div>
  );
}

/** What a key, or its button, does. */
function zoomKeys(span: TimeSpan, zoom: (to: TimeSpan | undefined) => void): Readonly<Record<string, () => void>> {
  return {
    "+": () => zoom(zoomed(span, 0.5)),
    "=": () => zoom(zoomed(span, 0.5)),
    "-": () => zoom(zoomed(span, 2)),
    ArrowLeft: () => zoom(moved(span, -0.25)),
    ArrowRight: () => zoom(moved(span, 0.25)),
    "0": () => zoom(undefined),
  };
}

function actOnKey(event: KeyboardEvent, keys: Readonly<Record<string, () => void>>): void {
  const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key];
  if (act === undefined) return;
  event.preventDefault();
  act();
}

interface LaneNamesProps {
  readonly lanes: readonly { readonly title: string; readonly top: number }[];
  readonly width: number;
  /** Whether the names are within the plot. */
  readonly isInside: boolean;
}

/** The lines between the lanes, and their names. */
function LaneNames({ lanes, width, isInside }: LaneNamesProps) {
  return (
    <g class="lanes">
      {lanes.map(({ title, top }) => (
        <g key={title}>
          <line class="border" x1={0} x2={width} y1={top} y2={top} />
          <text class="name" x={isInside ? 4 : 12} y={top + (isInside ? 12 : 30)}>
            {isInside || title.length <= nameMax ? title : `${title.slice(0, nameMax - 1)}…`}
            <title>{title}</title>
          </text>
        </g>
      ))}
    </g>
  );
}

/** Characters of a name that fit beside the plot. */
const nameMax = 30;

function timesOf({ startedAt, now, plan, windows }: Timeline): readonly number[] {
  const planned = plan.flatMap(({ at }) => (at === null ? [] : [at]));
  const bounds = windows.flatMap(({ from, until }) => (until === null ? [from] : [from, until]));
  return [startedAt, now, ...planned, ...bounds].map((text) => Date.parse(text));
}

function useWidth(box: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState(800);
  useEffect(() => {
    if (box.current === null) return;
    const observer = new ResizeObserver(([entry]) => entry !== undefined && setWidth(entry.contentRect.width));
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  return Math.max(width, 200);
}

const zooms = [
  { key: "ArrowLeft", title: "‹ Earlier" },
  { key: "ArrowRight", title: "Later ›" },
  { key: "+", title: "+ Zoom in" },
  { key: "-", title: "− Zoom out" },
  { key: "0", title: "Show all" },
] as const;

function ZoomButtons({ keys }: { readonly keys: Readonly<Record<string, () => void>> }) {
  return (
    <fieldset class="zooms">
      <legend class="unseen">Visible part of the timeline</legend>
      {zooms.map(({ key, title }) => (
        <button key={key} type="button" onClick={keys[key]}>
          {title}
        </button>
      ))}
    </fieldset>
  );
}

interface AxisProps {
  readonly span: TimeSpan;
  readonly place: (ms: number) => number;
  readonly nowMs: number;
  readonly width: number;
  readonly height: number;
}

/** Width of a time of day with its space; of the label of the current time. */
const [tickPx, nowPx] = [72, 186];

/** Round times. Numbers beside the current time make room for it. */
function Axis({ span, place, nowMs, width, height }: AxisProps) {
  const free = (ms: number) => Math.abs(place(ms) - labelOfNow(place(nowMs), width)) > (tickPx + nowPx) / 2;
  return (
    <g class="axis">
      {ticksOf(span, width / 90).map(({ ms, text }) => (
        <g key={ms}>
          <line x1={place(ms)} x2={place(ms)} y1={axisHeight} y2={height} />
          {free(ms) && place(ms) > tickPx / 2 && place(ms) < width - tickPx / 2 && (
            <text x={place(ms)} y={18} text-anchor="middle">
              {text}
            </text>
          )}
        </g>
      ))}
    </g>
  );
}

/** The middle of the label of the current time, which stays within the plot. */
function labelOfNow(x: number, width: number): number {
  return Math.min(Math.max(x, nowPx / 2 + 2), width - nowPx / 2 - 2);
}

interface NowProps {
  readonly x: number;
  readonly nowMs: number;
  readonly width: number;
  readonly height: number;
}

/** The line of the current time, behind the marks, with its number beside those of the axis. */
function Now({ x, nowMs, width, height }: NowProps) {
  if (x < 0 || x > width) return null;
  const middle = labelOfNow(x, width);
  return (
    <g class="now">
      <line x1={x} x2={x} y1={axisHeight - 4} y2={height} />
      <rect x={middle - nowPx / 2} y={4} width={nowPx} height={20} rx={4} />
      <text x={middle} y={18} text-anchor="middle">
        now {dateTimeOf(nowMs).slice(0, 19)}
      </text>
    </g>
  );
}

interface Lane {
  readonly timeline: Timeline;
  readonly top: number;
  readonly width: number;
  readonly place: (ms: number) => number;
}

/** Width of an event. Those of one point in time are beside each other. */
const eventPx = 20;

/** Draws the timed events, and the entries of calls that came. Entries that wait for a call have no time yet. */
function PlanLane({ timeline: { plan }, top, width, place }: Lane) {
  const placed = plan.flatMap((event) => (event.at === null ? [] : [{ ...event, at: event.at }]));
  const [timed, called] = [placed.filter(({ on }) => on === null), placed.filter(({ on }) => on !== null)];
  return (
    <g class="plan">
      {[timed, called].map((events, row) => {
        const places = apart(
          events.map(({ at }) => place(Date.parse(at))),
          eventPx,
          width,
        );
        return events.map(({ at, on, nth, description, isDone }, index) => {
          const call = on === null ? "" : `call ${nth ?? 1} of ${on}: `;
          const label = `${dateTimeOf(Date.parse(at))}: ${call}${description} (${isDone ? "applied" : "pending"})`;
          const [x = 0, y] = [places[index], top + (on === null ? 17 : 38)];
          return (
            <g key={`${row} ${index}`}>
              <title>{label}</title>
              <path
                class={isDone ? "event done" : "event ahead"}
                d={on === null ? `M${x} ${y - 8}l8 8l-8 8l-8 -8z` : `M${x - 7} ${y - 7}h14l-7 14z`}
              />
            </g>
          );
        });
      })}
    </g>
  );
}

/** Approximate width of a synchronizer name. */
const targetNamePx = 140;

function ContractLane({ contract, timeline, top, width, place }: Lane & { readonly contract: string }) {
  const nowMs = Date.parse(timeline.now);
  const windows = timeline.windows.filter((window) => window.contract === contract);
  return (
    <g class="windows">
      {windows.map(({ from, until, source, target }) => {
        const x = place(Date.parse(from));
        const end = place(until === null ? nowMs : Date.parse(until));
        // Near the right edge of the chart, the name is placed before the bar.
        const isAtEdge = end > width - targetNamePx && x > targetNamePx;
        const label = `${contract} in flight from ${source} to ${target}, ${spanText(from, until)}`;
        return (
          <g key={from + target} class={until === null ? "bar open" : "bar"}>
            <title>{label}</title>
            <rect x={x} y={top + 14} width={Math.max(end - x, 6)} height={12} rx={3} />
            <text
              x={isAtEdge ? Math.max(x, edgePx) - 5 : Math.max(end, x + 6) + 5}
              y={top + 24}
              text-anchor={isAtEdge ? "end" : "start"}
            >
              → {target}
              {until === null ? " …" : ""}
            </text>
          </g>
        );
      })}
    </g>
  );
}

/** The period in which a contract was in flight. */
export function spanText(from: string, until: string | null): string {
  const fromMs = Date.parse(from);
  return until === null ? `since ${dateTimeOf(fromMs)}` : periodOf(fromMs, Date.parse(until));
}
