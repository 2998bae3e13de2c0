import { useEffect, useMemo, useState } from "preact/hooks";
import { ActionResult } from "../parts/action-result.tsx";
import { addressOf } from "../parts/address.ts";
import { ConfirmButton } from "../parts/confirm-button.tsx";
import { controlApi, type InspectedExchange, type TableName, type WorldStatus } from "../parts/control-api.ts";
import { IdText } from "../parts/id-text.tsx";
import { useAction } from "../parts/use-action.ts";
import { useLatest } from "../parts/use-latest.ts";
import type { ViewProps } from "../parts/view-props.ts";
import { useTraffic } from "../traffic/use-traffic.ts";
import { PointInTimeBar } from "./point-in-time-bar.tsx";
import { changingOf, type PointInTime } from "./points-in-time.ts";
import { WorldTable } from "./world-table.tsx";
import "./world-view.css";

const tables = [
  { name: "users", title: "Users" },
  { name: "parties", title: "Parties" },
  { name: "packages", title: "Packages" },
  { name: "vetting", title: "Vetting" },
  { name: "identityProviders", title: "Identity providers" },
  { name: "contracts", title: "Registry contracts" },
  { name: "holdings", title: "Holdings" },
  { name: "transferInstructions", title: "Transfer instructions" },
  { name: "preapprovals", title: "Pre-approvals" },
] as const satisfies readonly { readonly name: TableName; readonly title: string }[];

/** Tables of the world: now, or at any point of its history. */
export function WorldView({ world, selected, select }: ViewProps) {
  const { pointInTime, go } = usePointInTime(selected, select);
  const [name, setName] = useState<TableName>("users");
  const {
    log: { lines },
    problem: missing,
  } = useTraffic(world);
  const changing = useMemo(() => changingOf(lines), [lines]);
  const { exchange, problem } = useExchange(world, pointInTime);
  const at = pointInTime === "now" ? undefined : pointInTime === "start" ? 0 : pointInTime;
  const table = tables.find((each) => each.name === name) ?? tables[0];
  const changes = exchange?.changes ?? [];
  return (
    <div class="world-view">
      <h2 class="unseen">World</h2>
      <section class="points-in-time" aria-label="Point in time">
        <PointInTimeBar
          world={world}
          pointInTime={pointInTime}
          changing={changing}
          first={lines[0]?.number ?? 1}
          exchange={exchange}
          problem={problem ?? missing}
          go={go}
        />
        <Changes changes={changes} show={setName} />
        <WorldActions world={world} at={at} go={go} />
      </section>
      <TableTabs name={name} changes={changes} show={setName} />
      <section id="table" class="table" role="tabpanel" aria-labelledby={`tab-${table.name}`}>
        <WorldTable key={table.name} world={world} table={table} at={at} changes={changes} />
      </section>
    </div>
  );
}

/** The selected point in time. The address 0 means now, so the start is local state. */
function usePointInTime(selected: number, select: ViewProps["select"]) {
  const [isStart, setStart] = useState(false);
  useEffect(() => {
    if (selected !== 0) setStart(false);
  }, [selected]);
  const pointInTime: PointInTime = selected !== 0 ? selected : isStart ? "start" : "now";
  const go = (to: PointInTime) => {
    setStart(to === "start");
    select(typeof to === "number" ? to : 0);
  };
  return { pointInTime, go };
}

function useExchange(world: WorldStatus, pointInTime: PointInTime) {
  const { value, problem } = useLatest(
    async () => (typeof pointInTime === "number" ? controlApi.exchange(world.id, pointInTime) : undefined),
    `${world.epoch} ${pointInTime}`,
  );
  return { exchange: value?.line.number === pointInTime ? value : undefined, problem };
}

interface ShownChanges {
  readonly changes: InspectedExchange["changes"];
  readonly show: (table: TableName) => void;
}

function Changes({ changes, show }: ShownChanges) {
  if (changes.length === 0) return null;
  return (
    <ul class="changes" aria-label="Changes of this exchange">
      {changes.map(({ table, id, change }) => (
        <li key={`${table} ${id} ${change}`}>
          <button type="button" class="link" onClick={() => show(table)}>
            {tables.find(({ name }) => name === table)?.title ?? table}
          </button>{" "}
          <span class="code">
            <IdText text={id} />
          </span>
          : {change}
        </li>
      ))}
    </ul>
  );
}

interface WorldActionsProps {
  readonly world: WorldStatus;
  readonly at: number | undefined;
  readonly go: (pointInTime: PointInTime) => void;
}

function WorldActions({ world, at, go }: WorldActionsProps) {
  const action = useAction();
  const fork = async () => {
    const { id } = await controlApi.fork(world.id, at);
    location.hash = addressOf("world", id);
    return `Forked as ${id}.`;
  };
  const remove = async () => {
    await controlApi.remove(world.id);
    location.hash = addressOf("world", "default");
  };
  const reset = async () => {
    await controlApi.reset(world.id);
    go("now");
  };
  return (
    <div class="acts">
      {world.id !== "default" && (
        <p>
          This world is served under <code>/w/{world.id}</code>.
        </p>
      )}
      <button type="button" aria-disabled={action.isBusy} onClick={() => action.run(fork)}>
        Fork from here
      </button>
      <ConfirmButton
        label="Reset the world"
        question={`Reset ${world.id} to its initial state and clear its ${world.last} exchanges?`}
        act={reset}
      />
      {world.id !== "default" && (
        <ConfirmButton
          label="Remove the world"
          question={`Remove the world ${world.id} with its exchanges?`}
          act={remove}
        />
      )}
      <ActionResult action={action} />
    </div>
  );
}

interface Tabs {
  readonly name: TableName;
  readonly changes: InspectedExchange["changes"];
  readonly show: (name: TableName) => void;
}

function TableTabs({ name, changes, show }: Tabs) {
  const move = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };
    const step = steps[event.key];
    if (step === undefined) return;
    const index = tables.findIndex((each) => each.name === name);
    const next = tables[(index + step + tables.length) % tables.length] ?? tables[0];
    show(next.name);
    document.getElementById(`tab-${next.name}`)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label="Tables">
      {tables.map((table) => {
        const count = changes.filter((change) => change.table === table.name).length;
        return (
          <button
            key={table.name}
            id={`tab-${table.name}`}
            type="button"
            role="tab"
            aria-selected={table.name === name}
            aria-controls="table"
            tabIndex={table.name === name ? 0 : -1}
            onClick={() => show(table.name)}
            onKeyDown={move}
          >
            {table.title}
            {count > 0 && <span class="count"> ● {count} changed</span>}
          </button>
        );
      })}
    </div>
  );
}
