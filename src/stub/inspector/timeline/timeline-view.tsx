import { useEffect, useMemo, useState } from "preact/hooks";
import { addressOf } from "../parts/address.ts";
import { Columns } from "../parts/columns.tsx";
import { controlApi, type Timeline, type TrafficLine, type WorldStatus } from "../parts/control-api.ts";
import { dateTimeOf } from "../parts/date-time.ts";
import { Problem } from "../parts/problem.tsx";
import { problemsOf, type Sides } from "../parts/problems.ts";
import { SidesSwitch } from "../parts/sides-switch.tsx";
import { useLatest } from "../parts/use-latest.ts";
import type { ViewProps } from "../parts/view-props.ts";
import { useTraffic } from "../traffic/use-traffic.ts";
import { labelOf } from "./exchange-lanes.tsx";
import { linesOf, marksOf, type TimelineMark, timesOf } from "./exchange-marks.ts";
import { TimelineActions } from "./timeline-actions.tsx";
import { spanText, TimelineChart } from "./timeline-chart.tsx";
import "./timeline-view.css";

/** The timeline of a world in virtual time, with manual actions. */
export function TimelineView({ world, sides, showBoth }: ViewProps) {
  const { value: timeline, problem } = useLatest(
    () => controlApi.timeline(world.id),
    `${world.epoch} ${world.revision}`,
  );
  const {
    log: { lines },
    problem: missing,
  } = useTraffic(world);
  const times = useMemo(() => timesOf(lines), [lines]);
  const [chosen, choose] = useState<TimelineMark>();
  useEffect(() => choose(undefined), [world.epoch]);
  return (
    <div class="timeline-view">
      <h2 class="unseen">Timeline</h2>
      <Problem text={problem ?? missing} />
      {timeline !== undefined && (
        <>
          <div class="timeline-head">
            <p class="clock">
              Virtual time: <strong>{dateTimeOf(Date.parse(timeline.now))}</strong> UTC, started at{" "}
              {dateTimeOf(Date.parse(timeline.startedAt))}; {timeline.isRunning ? "running" : "paused"}.
            </p>
            <SidesSwitch sides={sides} lines={lines} showBoth={showBoth} />
          </div>
          <TimelineActions world={world} timeline={timeline} />
          <TimelineChart
            timeline={timeline}
            lines={lines}
            times={times}
            sides={sides}
            chosen={chosen}
            choose={choose}
          />
          {lines.length === 0 && (
            <p class="quiet">No exchange yet. Send a request to the base URL above, or advance the clock.</p>
          )}
          {chosen !== undefined && (
            <Chosen
              key={chosen.kind + chosen.first}
              world={world}
              mark={chosen}
              lines={lines}
              times={times}
              sides={sides}
            />
          )}
          <Legend hasWindows={timeline.windows.length > 0} />
          <PlanList timeline={timeline} />
          <Tables timeline={timeline} lines={lines} times={times} sides={sides} world={world} />
        </>
      )}
    </div>
  );
}

function Legend({ hasWindows }: { readonly hasWindows: boolean }) {
  return (
    <p class="legend">
      Shapes: ● succeeded, ▲ 409, ■ refused, ⬢ failed; the number in a mark is its number of exchanges, and framed marks
      are of one time, or nearly. Problems: <b class="error">✗ error</b>, <b class="warning">! warning</b>. Plan: ◆
      timed, ▼ by a call; hollow while pending.{" "}
      {hasWindows ? "Bars: contracts in flight." : "A contract has a lane once it is reassigned."}
    </p>
  );
}

interface ChosenMarkProps {
  readonly world: WorldStatus;
  readonly mark: TimelineMark;
  readonly lines: readonly TrafficLine[];
  readonly times: Float64Array;
  readonly sides: Sides;
}

const listedAtOnce = 100;

/** Lists the exchanges of the selected mark. */
function Chosen({ world, mark, lines, times, sides }: ChosenMarkProps) {
  const [shown, setShown] = useState(listedAtOnce);
  const behind = useMemo(() => linesOf(mark, lines, times), [mark, lines, times]);
  return (
    <section class="chosen" aria-label="Exchanges of the selected mark">
      <h3 aria-live="polite">{labelOf({ ...mark, count: behind.length })}</h3>
      <ul>
        {behind.slice(0, shown).map((line) => (
          <li key={line.number}>
            <a href={addressOf("traffic", world.id, line.number)}>
              {line.number}: {line.method} {line.operationId ?? line.target}
            </a>{" "}
            {[
              line.status ?? line.broken ?? "no response",
              ...(line.outcome === "PLANNED" ? ["injected fault"] : []),
              ...problemsOf(line, sides).map(({ name, severity }) => `${severity}: ${name}`),
            ].join(", ")}
          </li>
        ))}
      </ul>
      {behind.length > shown && (
        <button type="button" onClick={() => setShown(shown + listedAtOnce)}>
          More
        </button>
      )}
    </section>
  );
}

function whenOf({ at, on, nth }: Timeline["plan"][number]): string {
  if (on === null && at !== null) return dateTimeOf(Date.parse(at));
  return `call ${nth ?? 1} of ${on ?? "any operation"}`;
}

function symbolOf({ on, isDone }: Timeline["plan"][number]): string {
  if (on === null) return isDone ? "◆" : "◇";
  return isDone ? "▼" : "▽";
}

function PlanList({ timeline: { plan } }: { readonly timeline: Timeline }) {
  return (
    <section class="plan-list" aria-labelledby="plan">
      <h3 id="plan">Plan</h3>
      {plan.length === 0 && <p>The plan is empty.</p>}
      <ul>
        {plan.map((event, index) => (
          <li key={index}>
            <span aria-hidden="true">{symbolOf(event)}</span> {whenOf(event)}: {event.description}{" "}
            <em>({event.isDone ? "applied" : "pending"})</em>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface TablesProps extends Omit<ChosenMarkProps, "mark"> {
  readonly timeline: Timeline;
}

/** The content of the chart as tables, for screen readers. */
function Tables({ world, timeline, lines, times, sides }: TablesProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="tables" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Show as table</summary>
      {isOpen && (
        <>
          <WindowTable timeline={timeline} />
          <ExchangeTable world={world} lines={lines} times={times} sides={sides} />
        </>
      )}
    </details>
  );
}

function WindowTable({ timeline: { windows } }: { readonly timeline: Timeline }) {
  return (
    <table>
      <caption>Reassignments</caption>
      <Columns names={["Contract", "From", "To", "In flight"]} />
      <tbody>
        {windows.map(({ contract, from, until, source, target }) => (
          <tr key={contract + from + target}>
            <th scope="row">{contract}</th>
            <td>{source}</td>
            <td>{target}</td>
            <td>{spanText(from, until)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Maximum number of listed timestamps; the Traffic view lists all exchanges. */
const timestampsMax = 500;

function ExchangeTable({ world, lines, times, sides }: Omit<ChosenMarkProps, "mark">) {
  const marks = useMemo(() => marksOf(lines, times, 0, sides), [lines, times, sides.areBothShown]);
  return (
    <>
      <table>
        <caption>Exchanges by time</caption>
        <Columns names={["Virtual time", "Kind", "Exchanges"]} />
        <tbody>
          {marks.slice(0, timestampsMax).map((mark) => (
            <tr key={mark.kind + mark.fromMs}>
              <td>{dateTimeOf(mark.fromMs)}</td>
              <td>{labelOf(mark)}</td>
              <td>
                <a href={addressOf("traffic", world.id, mark.first)}>{mark.count}</a>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {marks.length > timestampsMax && (
        <p>{marks.length - timestampsMax} more rows. The Traffic view lists all exchanges.</p>
      )}
    </>
  );
}
