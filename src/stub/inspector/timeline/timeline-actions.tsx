import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { ActionResult } from "../parts/action-result.tsx";
import { ConfirmButton } from "../parts/confirm-button.tsx";
import { controlApi, type Timeline, type WorldStatus } from "../parts/control-api.ts";
import { dateTimeOf } from "../parts/date-time.ts";
import { named, Select } from "../parts/select.tsx";
import { useAction } from "../parts/use-action.ts";
import { FaultForm } from "./fault-form.tsx";

interface TimelineActionsProps {
  readonly world: WorldStatus;
  readonly timeline: Timeline;
}

/** Forms for manual actions on the world. On a narrow page all but the clock start folded, so that the chart is in sight. */
export function TimelineActions({ world, timeline }: TimelineActionsProps) {
  const [isWide] = useState(() => matchMedia("(width >= 900px)").matches);
  return (
    <div class="hand">
      <ClockForm world={world} />
      {timeline.contracts.length > 0 && (
        <Folded title="Reassign a contract" isOpen={isWide}>
          <ReassignmentForm world={world} timeline={timeline} />
        </Folded>
      )}
      <Folded title="Inject a fault" isOpen={isWide}>
        <FaultForm world={world} operations={timeline.operations} />
      </Folded>
      <Folded title="Reset" isOpen={isWide}>
        <p>Restores the initial state of the world and clears its exchanges.</p>
        <ConfirmButton
          label="Reset the world"
          question={`Reset ${world.id} to its initial state and clear its ${world.last} exchanges?`}
          act={() => controlApi.reset(world.id)}
        />
      </Folded>
    </div>
  );
}

interface FoldedProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly children: ComponentChildren;
}

function Folded({ title, isOpen, children }: FoldedProps) {
  return (
    <details class="form" open={isOpen}>
      <summary>{title}</summary>
      <div class="form-body">{children}</div>
    </details>
  );
}

const presets = [
  { by: "PT1S", title: "1 s" },
  { by: "PT30S", title: "30 s" },
  { by: "PT1M", title: "1 min" },
  { by: "PT1H", title: "1 h" },
] as const;

function ClockForm({ world }: { readonly world: WorldStatus }) {
  const [by, setBy] = useState("PT5M");
  const action = useAction();
  const advance = (duration: string) =>
    action.run(async () => {
      const { now } = await controlApi.advance(world.id, duration);
      return `Virtual time is now ${dateTimeOf(Date.parse(now))}.`;
    });
  return (
    <form
      class="form"
      aria-labelledby="advance"
      onSubmit={(event) => {
        event.preventDefault();
        advance(by);
      }}
    >
      <h3 id="advance">Advance the clock</h3>
      <div class="form-body">
        <div class="fields">
          {presets.map((preset) => (
            <button key={preset.by} type="button" onClick={() => advance(preset.by)}>
              + {preset.title}
            </button>
          ))}
        </div>
        <div class="fields">
          <label>
            By{" "}
            <input
              class="short"
              value={by}
              placeholder="PT30S"
              spellcheck={false}
              onInput={({ currentTarget }) => setBy(currentTarget.value)}
            />
          </label>
          <button type="submit">Advance</button>
        </div>
        <ActionResult action={action} />
      </div>
    </form>
  );
}

function ReassignmentForm({ world, timeline: { contracts, synchronizers } }: TimelineActionsProps) {
  const [picked, pick] = useState<string>();
  const [target, setTarget] = useState<string>();
  const action = useAction();
  const contract = contracts.find(({ name }) => name === picked) ?? contracts[0];
  if (contract === undefined) return null;
  const to = target ?? synchronizers.find((alias) => alias !== contract.synchronizer) ?? synchronizers[0] ?? "";
  const begin = async () => {
    await controlApi.beginReassignment(world.id, contract.name, to);
    return `${contract.name} is in flight to ${to}.`;
  };
  const complete = async () => {
    await controlApi.completeReassignment(world.id, contract.name);
    return `${contract.name} is assigned.`;
  };
  return (
    <section class="form-body" aria-label="Reassign a contract">
      <label>
        Contract{" "}
        <Select
          value={contract.name}
          options={named(contracts.map(({ name }) => name))}
          choose={(name) => {
            pick(name);
            setTarget(undefined);
          }}
        />
      </label>
      <p class="quiet">
        Now {contract.isInFlight ? "in flight to" : "on"} {contract.synchronizer}
      </p>
      <label>
        To <Select value={to} options={named(synchronizers)} choose={setTarget} />
      </label>
      <div class="fields">
        <button type="button" onClick={() => action.run(begin)}>
          Begin
        </button>
        <button type="button" onClick={() => action.run(complete)}>
          Complete
        </button>
      </div>
      <ActionResult action={action} />
    </section>
  );
}
