import { addressOf } from "../parts/address.ts";
import type { InspectedExchange, WorldStatus } from "../parts/control-api.ts";
import { withShortIds } from "../parts/id-parts.ts";
import { Problem } from "../parts/problem.tsx";
import { type PointInTime, type Steps, stepsFrom } from "./points-in-time.ts";

interface PointInTimeBarProps {
  readonly world: WorldStatus;
  readonly pointInTime: PointInTime;
  readonly changing: readonly number[];
  /** The number of the first exchange in the journal; 1 if the journal is empty. */
  readonly first: number;
  readonly exchange: InspectedExchange | undefined;
  readonly problem: string | undefined;
  readonly go: (pointInTime: PointInTime) => void;
}

const buttons = [
  { step: "first", title: "« First change" },
  { step: "previous", title: "‹ Previous" },
  { step: "next", title: "Next ›" },
  { step: "last", title: "Last change »" },
] as const;

/** Shows the selected point in time, with buttons to step to others. */
export function PointInTimeBar({ world, pointInTime, changing, first, exchange, problem, go }: PointInTimeBarProps) {
  const steps = stepsFrom(pointInTime, changing);
  return (
    <>
      <fieldset class="steps">
        <legend class="unseen">Step through the changes</legend>
        <Step title="Start" to={pointInTime === "start" ? undefined : "start"} go={go} />
        {buttons.map(({ step, title }) => (
          <Step key={step} title={title} to={steps[step]} go={go} />
        ))}
        <Step title="Now" to={pointInTime === "now" ? undefined : "now"} go={go} />
      </fieldset>
      <p class="point-in-time" aria-live="polite">
        <Sentence world={world} pointInTime={pointInTime} first={first} exchange={exchange} />
      </p>
      <Problem text={problem} />
    </>
  );
}

/** A step button. It stays focusable when disabled, so keyboard users keep their position. */
function Step({
  title,
  to,
  go,
}: {
  readonly title: string;
  readonly to: Steps["next"];
  readonly go: PointInTimeBarProps["go"];
}) {
  return (
    <button type="button" aria-disabled={to === undefined} onClick={() => to !== undefined && go(to)}>
      {title}
    </button>
  );
}

function Sentence({
  world,
  pointInTime,
  first,
  exchange,
}: Pick<PointInTimeBarProps, "world" | "pointInTime" | "first" | "exchange">) {
  if (pointInTime === "start" && first > 1) return <>The world before exchange {first}, the first in the journal.</>;
  if (pointInTime === "start") return <>The world before its first exchange.</>;
  if (pointInTime === "now") return <>The world now, after {world.last} exchanges.</>;
  const line = exchange?.line;
  return (
    <>
      The world after <a href={addressOf("traffic", world.id, pointInTime)}>exchange {pointInTime}</a> of {world.last}
      {line !== undefined && line.number === pointInTime && (
        <>
          :{" "}
          <code>
            {line.method} {withShortIds(line.target)}
          </code>{" "}
          with status {line.status ?? line.broken ?? "unknown"}
        </>
      )}
    </>
  );
}
