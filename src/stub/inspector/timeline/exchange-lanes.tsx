import { periodOf } from "../parts/date-time.ts";
import { type Kind, kinds, markPx, type PlacedMark, placedMarks, type TimelineMark } from "./exchange-marks.ts";

interface ExchangeLanesProps {
  readonly marks: readonly TimelineMark[];
  readonly singlesOf: (mark: TimelineMark) => readonly TimelineMark[];
  readonly top: number;
  readonly width: number;
  readonly place: (ms: number) => number;
  readonly chosen: TimelineMark | undefined;
  readonly choose: (mark: TimelineMark) => void;
}

export const laneHeight = 52;
/** Marks beyond this distance from the chart are not drawn. */
const outsidePx = 20;

/** Draws the exchanges with a lane and a shape per kind, so kinds are distinguishable without colour. */
export function ExchangeLanes({ marks, singlesOf, top, width, place, chosen, choose }: ExchangeLanesProps) {
  return (
    <g class="exchanges">
      {kinds.map(({ kind }, index) => {
        const y = top + index * laneHeight;
        const ofKind = marks.filter((mark) => mark.kind === kind);
        const drawn = placedMarks(ofKind, { place, width }, singlesOf).filter(
          ({ x }) => x > -outsidePx && x < width + outsidePx,
        );
        return (
          <g key={kind}>
            {framesOf(drawn).map(({ first, x, width: wide }) => (
              <rect key={first} class="together" x={x} y={y + 17} width={wide} height={30} rx={6} />
            ))}
            {drawn.map(({ mark, x }, position) => (
              <ExchangeMark
                key={mark.first}
                mark={mark}
                x={x}
                y={y + 32}
                isChosen={chosen?.kind === kind && chosen.first === mark.first}
                isFirst={position === 0}
                choose={choose}
              />
            ))}
          </g>
        );
      })}
    </g>
  );
}

/** The frames around marks that share a time. */
function framesOf(drawn: readonly PlacedMark[]) {
  return [...Map.groupBy(drawn, ({ mark }) => mark.besides)].flatMap(([first, marks]) => {
    const left = Math.min(...marks.map(({ x }) => x)) - markPx / 2;
    return first === undefined ? [] : [{ first, x: left, width: marks.length * markPx }];
  });
}

const shapes: Readonly<Record<Kind, string>> = {
  fine: "M-11 0a11 11 0 1 0 22 0a11 11 0 1 0 -22 0z",
  conflict: "M0 -15L15 11L-15 11z",
  refused: "M-10 -10h20v20h-20z",
  failed: "M-5 -12h10l7 7v10l-7 7h-10l-7 -7v-10z",
};

/** Symbols that show the worst problem: in the mark of one exchange, above that of several. */
const symbols = { error: "✗", warning: "!" } as const;

interface ExchangeMarkProps {
  readonly mark: TimelineMark;
  readonly x: number;
  readonly y: number;
  readonly isChosen: boolean;
  readonly isFirst: boolean;
  readonly choose: (mark: TimelineMark) => void;
}

function ExchangeMark({ mark, x, y, isChosen, isFirst, choose }: ExchangeMarkProps) {
  const onKeyDown = (event: KeyboardEvent & { readonly currentTarget: SVGGElement }) => {
    if (event.key === "Enter" || event.key === " ") choose(mark);
    else if (!focusBeside(event.currentTarget, event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: SVG has no button element
    <g
      class={`mark kind-${mark.kind}`}
      transform={`translate(${x} ${y})`}
      role="button"
      tabindex={isFirst ? 0 : -1}
      aria-pressed={isChosen}
      aria-label={labelOf(mark)}
      onClick={() => choose(mark)}
      onKeyDown={onKeyDown}
    >
      <title>{labelOf(mark)}</title>
      <path d={shapes[mark.kind]} />
      <text y={mark.kind === "conflict" ? 8 : 4} text-anchor="middle">
        {mark.count > 1 ? compact(mark.count) : mark.worst === undefined ? "" : symbols[mark.worst]}
      </text>
      {mark.count > 1 && mark.worst !== undefined && (
        <text class={`sign ${mark.worst}`} y={mark.kind === "conflict" ? -17 : -13} text-anchor="middle">
          {symbols[mark.worst]}
        </text>
      )}
    </g>
  );
}

/** Moves the focus along a lane with arrow keys. Returns whether the key was handled. */
function focusBeside(mark: SVGGElement, key: string): boolean {
  const beside =
    key === "ArrowLeft" ? mark.previousElementSibling : key === "ArrowRight" ? mark.nextElementSibling : null;
  if (!(beside instanceof SVGGElement)) return key === "ArrowLeft" || key === "ArrowRight";
  beside.focus();
  return true;
}

/** Describes a mark: kind, count, time and worst problem. */
export function labelOf({ kind, fromMs, untilMs, count, first, besides, worst }: TimelineMark): string {
  const title = kinds.find((each) => each.kind === kind)?.title ?? kind;
  const which = besides === undefined ? `${count} ${count === 1 ? "exchange" : "exchanges"}` : `exchange ${first}`;
  const when = `${fromMs === untilMs ? "at " : ""}${periodOf(fromMs, untilMs)}`;
  const problem = worst === undefined ? "" : `, with ${worst === "error" ? "an error" : "a warning"}`;
  return `${title}: ${which} ${when}${problem}`;
}

/** Shortens a count so that it fits into a mark. */
function compact(count: number): string {
  if (count < 1000) return String(count);
  return count < 1_000_000 ? `${Math.floor(count / 1000)}k` : `${Math.floor(count / 1_000_000)}M`;
}
