import { useEffect, useMemo, useState } from "preact/hooks";
import type { ViewProps } from "../app.tsx";
import { addressOf } from "../parts/address.ts";
import { controlApi, type Timeline, type TrafficLine, type WorldStatus } from "../parts/control-api.ts";
import { useLatest } from "../parts/use-latest.ts";
import { useTraffic } from "../traffic/use-traffic.ts";
import { labelOf } from "./exchange-lanes.tsx";
import { linesOf, type Mark, marksOf, timesOf } from "./exchange-marks.ts";
import { clockOf, pointInTimeOf } from "./time-scale.ts";
import { spanText, TimelineChart } from "./timeline-chart.tsx";
import { TimelineHand } from "./timeline-cursor.tsx";
import "../parts/page-parts.css";
import "./timeline-view.css";

/** What happened when in virtual time, and what can be made to happen. */
export function TimelineView({ world }: ViewProps) {
  const { value: timeline, problem } = useLatest(
    () => controlApi.timeline(world.id),
    `${world.epoch} ${world.revision}`,
  );
  const {
    log: { lines },
    problem: missing,
  } = useTraffic(world);
  const times = useMemo(() => timesOf(lines), [lines]);
  const [chosen, choose] = useState<Mark>();
  useEffect(() => choose(undefined), [world.epoch]);
  return (
    <div class="timeline-view">
      <h2 class="unseen">Timeline</h2>
      <p class="problem" role="alert">
        {problem ?? missing ?? ""}
      </p>
      {timeline !== undefined && (
        <>
          <p class="clock">
            Virtual time: <strong>{pointInTimeOf(Date.parse(timeline.now))}</strong> UTC, begun at{" "}
            {pointInTimeOf(Date.parse(timeline.startedAt))};{" "}
            {timeline.isRunning ? "it runs by itself" : "it stands still"}.
          </p>
          <TimelineChart timeline={timeline} lines={lines} times={times} chosen={chosen} choose={choose} />
          <p class="legend">
            ● answered, ▲ 409, ■ refused, ⬢ failed; a number in a mark: so many exchanges. Beside it, what the rules
            say: <b class="fail">! FAIL</b>, <b class="warn">? WARN</b>, <b class="known">≈ KNOWN</b>; none:{" "}
            <b class="pass">PASS</b>. Plan: a full ◆ is done, an empty ◇ is to come.
          </p>
          {chosen !== undefined && (
            <Chosen key={chosen.kind + chosen.fromMs} world={world} mark={chosen} lines={lines} times={times} />
          )}
          <TimelineHand world={world} timeline={timeline} />
          <PlanList timeline={timeline} />
          <Tables timeline={timeline} lines={lines} times={times} world={world} />
        </>
      )}
    </div>
  );
}

interface ChosenMark {
  readonly world: WorldStatus;
  readonly mark: Mark;
  readonly lines: readonly TrafficLine[];
  readonly times: Float64Array;
}

const listedAtOnce = 100;

/** The exchanges behind a mark. */
function Chosen({ world, mark, lines, times }: ChosenMark) {
  const [shown, setShown] = useState(listedAtOnce);
  const behind = useMemo(() => linesOf(mark, lines, times), [mark, lines, times]);
  const outcome = behind.some((line) => line.outcome === mark.outcome) ? mark.outcome : "PASS";
  return (
    <section class="chosen" aria-label="The exchanges of the chosen mark">
      <h3 aria-live="polite">{labelOf({ ...mark, outcome, count: behind.length })}</h3>
      <ul>
        {behind.slice(0, shown).map((line) => (
          <li key={line.number}>
            <a href={addressOf("traffic", world.id, line.number)}>
              {line.number}: {line.method} {line.operationId ?? line.target}
            </a>{" "}
            {line.status ?? line.broken ?? "no response"}, {line.outcome}
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
  if (at !== null) return clockOf(Date.parse(at));
  return `at call ${nth ?? 1} of ${on ?? "any operation"}`;
}

function PlanList({ timeline: { plan } }: { readonly timeline: Timeline }) {
  return (
    <section class="plan-list" aria-labelledby="plan">
      <h3 id="plan">Plan</h3>
      {plan.length === 0 && <p>Nothing is planned.</p>}
      <ul>
        {plan.map((event, index) => (
          <li key={index}>
            <span aria-hidden="true">{event.isDone ? "◆" : "◇"}</span> {whenOf(event)}: {event.description}{" "}
            <em>({event.isDone ? "done" : "to come"})</em>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface Tabled extends Omit<ChosenMark, "mark"> {
  readonly timeline: Timeline;
}

/** The drawing for those who do not see it. */
function Tables({ world, timeline, lines, times }: Tabled) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="tables" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>The drawing as tables</summary>
      {isOpen && (
        <>
          <WindowTable timeline={timeline} />
          <PointInTimeTable world={world} lines={lines} times={times} />
        </>
      )}
    </details>
  );
}

function WindowTable({ timeline: { windows } }: { readonly timeline: Timeline }) {
  return (
    <table>
      <caption>Reassignments</caption>
      <thead>
        <tr>
          <th scope="col">Contract</th>
          <th scope="col">From</th>
          <th scope="col">To</th>
          <th scope="col">On its way</th>
        </tr>
      </thead>
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

/** So many moments are listed; Traffic has them all. */
const pointsInTimeMax = 500;

function PointInTimeTable({ world, lines, times }: Omit<ChosenMark, "mark">) {
  const marks = useMemo(() => marksOf(lines, times, 0), [lines, times]);
  return (
    <>
      <table>
        <caption>Exchanges by moment</caption>
        <thead>
          <tr>
            <th scope="col">Virtual time</th>
            <th scope="col">Kind</th>
            <th scope="col">Exchanges</th>
          </tr>
        </thead>
        <tbody>
          {marks.slice(0, pointsInTimeMax).map((mark) => (
            <tr key={mark.kind + mark.fromMs}>
              <td>{pointInTimeOf(mark.fromMs)}</td>
              <td>{labelOf(mark)}</td>
              <td>
                <a href={addressOf("traffic", world.id, mark.first)}>{mark.count}</a>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {marks.length > pointsInTimeMax && <p>{marks.length - pointsInTimeMax} more moments are in Traffic.</p>}
    </>
  );
}
