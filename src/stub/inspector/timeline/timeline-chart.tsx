import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Timeline, TrafficLine } from "../parts/control-api.ts";
import type { Sides } from "../parts/problems.ts";
import { ExchangeLanes, laneHeight } from "./exchange-lanes.tsx";
import { kinds, type Mark, marksOf } from "./exchange-marks.ts";
import { clockOf, moved, placeIn, type Span, spanOf, ticksOf, zoomed } from "./time-scale.ts";

interface TimelineChartProps {
  readonly timeline: Timeline;
  readonly lines: readonly TrafficLine[];
  readonly times: Float64Array;
  readonly sides: Sides;
  readonly chosen: Mark | undefined;
  readonly choose: (mark: Mark) => void;
}

const axisHeight = 24;
const contractHeight = 34;
/** Space below the lanes for the label "now". */
const footHeight = 18;
/** Exchanges closer than this are one mark. */
const nearPx = 24;
/** Minimum distance of axis labels from the ends of the axis. */
const edgePx = 30;
/** Up to this number, every contract has a lane. With more, only contracts with reassignments have one. */
const lanesMax = 10;

/** Chart of exchanges, plan and reassignments over virtual time. */
export function TimelineChart({ timeline, lines, times, sides, chosen, choose }: TimelineChartProps) {
  const box = useRef<HTMLElement>(null);
  const width = useWidth(box);
  const all = useMemo(() => spanOf(timesOf(timeline)), [timeline]);
  const [zoom, setZoom] = useState<Span>();
  const span = zoom ?? all;
  const nearMs = ((span.untilMs - span.fromMs) / width) * nearPx;
  const marks = useMemo(() => marksOf(lines, times, nearMs, sides), [lines, times, nearMs, sides.areBothShown]);
  const contracts = contractLanes(timeline);
  const place = placeIn(span, width);
  const planTop = axisHeight + kinds.length * laneHeight;
  const contractsTop = planTop + laneHeight;
  const height = contractsTop + contracts.length * contractHeight + footHeight;
  const keys: Readonly<Record<string, () => void>> = {
    "+": () => setZoom(zoomed(span, 0.5)),
    "=": () => setZoom(zoomed(span, 0.5)),
    "-": () => setZoom(zoomed(span, 2)),
    ArrowLeft: () => setZoom(moved(span, -0.25)),
    ArrowRight: () => setZoom(moved(span, 0.25)),
    "0": () => setZoom(undefined),
  };
  return (
    <div class="chart">
      <ZoomButtons keys={keys} />
      <section
        ref={box}
        class="drawing"
        aria-label="Timeline chart. Plus and minus zoom, arrow keys move, 0 shows all."
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the chart is moved and zoomed by keys
        tabIndex={0}
        onKeyDown={(event) => {
          const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key];
          if (act === undefined) return;
          event.preventDefault();
          act();
        }}
      >
        <svg width={width} height={height}>
          <title>Timeline</title>
          <Axis span={span} width={width} height={height} />
          <ExchangeLanes marks={marks} top={axisHeight} place={place} width={width} chosen={chosen} choose={choose} />
          <PlanLane timeline={timeline} top={planTop} place={place} width={width} />
          {contracts.map((contract, index) => (
            <ContractLane
              key={contract}
              contract={contract}
              timeline={timeline}
              top={contractsTop + index * contractHeight}
              place={place}
              width={width}
            />
          ))}
          <Now x={place(Date.parse(timeline.now))} height={height} width={width} />
        </svg>
      </section>
    </div>
  );
}

function timesOf({ startedAt, now, plan, windows }: Timeline): readonly number[] {
  const planned = plan.flatMap(({ at }) => (at === null ? [] : [at]));
  const bounds = windows.flatMap(({ from, until }) => (until === null ? [from] : [from, until]));
  return [startedAt, now, ...planned, ...bounds].map((text) => Date.parse(text));
}

function contractLanes({ contracts, windows }: Timeline): readonly string[] {
  const moved = [...new Set(windows.map(({ contract }) => contract))];
  const names = contracts.map(({ name }) => name);
  return names.length <= lanesMax ? names : moved;
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

function Axis({ span, width, height }: { readonly span: Span; readonly width: number; readonly height: number }) {
  const place = placeIn(span, width);
  return (
    <g class="axis">
      {ticksOf(span, width / 90).map(({ ms, text }) => (
        <g key={ms}>
          <line x1={place(ms)} x2={place(ms)} y1={axisHeight - 4} y2={height} />
          <text x={Math.min(Math.max(place(ms), edgePx), width - edgePx)} y={14} text-anchor="middle">
            {text}
          </text>
        </g>
      ))}
    </g>
  );
}

interface Lane {
  readonly timeline: Timeline;
  readonly top: number;
  readonly width: number;
  readonly place: (ms: number) => number;
}

function PlanLane({ timeline: { plan }, top, width, place }: Lane) {
  const timed = plan.flatMap(({ at, description, isDone }) => (at === null ? [] : [{ at, description, isDone }]));
  return (
    <g class="plan">
      <line class="border" x1={0} x2={width} y1={top} y2={top} />
      <text class="name" x={4} y={top + 12}>
        Plan
      </text>
      {timed.map(({ at, description, isDone }) => {
        const label = `${clockOf(Date.parse(at))}: ${description} (${isDone ? "applied" : "pending"})`;
        const [x, y] = [place(Date.parse(at)), top + 31];
        return (
          <g key={`${at} ${description}`}>
            <title>{label}</title>
            <path class={isDone ? "event done" : "event ahead"} d={`M${x} ${y - 8}l8 8l-8 8l-8 -8z`} />
          </g>
        );
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
      <line class="border" x1={0} x2={width} y1={top} y2={top} />
      <text class="name" x={4} y={top + 12}>
        {contract}
      </text>
      {windows.map(({ from, until, source, target }) => {
        const x = place(Date.parse(from));
        const end = place(until === null ? nowMs : Date.parse(until));
        // Near the right edge of the chart, the name is placed before the bar.
        const isAtEdge = end > width - targetNamePx && x > targetNamePx;
        const label = `${contract} in flight from ${source} to ${target}, ${spanText(from, until)}`;
        return (
          <g key={from + target} class={until === null ? "bar open" : "bar"}>
            <title>{label}</title>
            <rect x={x} y={top + 17} width={Math.max(end - x, 6)} height={13} rx={3} />
            <text
              x={isAtEdge ? Math.max(x, edgePx) - 5 : Math.max(end, x + 6) + 5}
              y={top + 28}
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
  const begin = clockOf(Date.parse(from));
  return until === null ? `since ${begin}` : `${begin} to ${clockOf(Date.parse(until))}`;
}

function Now({ x, height, width }: { readonly x: number; readonly height: number; readonly width: number }) {
  const isRight = x > width - 40;
  return (
    <g class="now">
      <line x1={x} x2={x} y1={axisHeight - 6} y2={height} />
      <text x={isRight ? x - 5 : x + 5} y={height - 6} text-anchor={isRight ? "end" : "start"}>
        now
      </text>
    </g>
  );
}
