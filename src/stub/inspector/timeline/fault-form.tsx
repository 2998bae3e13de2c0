import { useState } from "preact/hooks";
import { ActionResult } from "../parts/action-result.tsx";
import { controlApi, type WorldStatus } from "../parts/control-api.ts";
import { named, Select } from "../parts/select.tsx";
import { useAction } from "../parts/use-action.ts";
import { entryOf, faultKinds, type PlannedFault } from "./fault-entry.ts";

const blank: PlannedFault = {
  on: "",
  kind: "commit-then-timeout",
  timing: "instead",
  status: 503,
  body: "",
  delay: "PT2S",
  nth: 1,
  times: 1,
};

interface FaultFormProps {
  readonly world: WorldStatus;
  readonly operations: readonly string[];
}

/** Form that injects a fault into future calls of an operation. */
export function FaultForm({ world, operations }: FaultFormProps) {
  const [given, setGiven] = useState(blank);
  const action = useAction();
  const fault: PlannedFault = { ...given, on: given.on === "" ? (operations[0] ?? "") : given.on };
  const set = (change: Partial<PlannedFault>) => setGiven({ ...given, ...change });
  const inject = async () => {
    await controlApi.plan(world.id, entryOf(fault));
    return `Fault injected: starts with call ${fault.nth} of ${fault.on} from now.`;
  };
  return (
    <form
      class="form-body"
      aria-label="Inject a fault"
      onSubmit={(event) => {
        event.preventDefault();
        action.run(inject);
      }}
    >
      <label>
        Operation <Select value={fault.on} options={named(operations)} choose={(on) => set({ on })} />
      </label>
      <label>
        Fault{" "}
        <Select
          value={fault.kind}
          options={faultKinds.map(({ kind, title }) => [kind, title])}
          choose={(chosen) => set({ kind: faultKinds.find(({ kind }) => kind === chosen)?.kind ?? blank.kind })}
        />
      </label>
      <Details fault={fault} set={set} />
      <div class="fields">
        <Count label="From call" value={fault.nth} set={(nth) => set({ nth })} />
        <Count label="Times" value={fault.times} set={(times) => set({ times })} />
        <button type="submit">Inject</button>
      </div>
      <ActionResult action={action} />
    </form>
  );
}

const timings = [
  ["instead", "no effect"],
  ["after", "takes effect first"],
] as const;

interface DetailsProps {
  readonly fault: PlannedFault;
  readonly set: (change: Partial<PlannedFault>) => void;
}

/** Fields that only some kinds of faults have. */
function Details({ fault, set }: DetailsProps) {
  if (fault.kind === "delay")
    return (
      <label>
        Delay{" "}
        <input class="short" value={fault.delay} onInput={({ currentTarget }) => set({ delay: currentTarget.value })} />
      </label>
    );
  if (fault.kind.startsWith("commit-")) return null;
  return (
    <>
      <label>
        Effect{" "}
        <Select
          value={fault.timing}
          options={timings}
          choose={(to) => set({ timing: to === "after" ? to : "instead" })}
        />
      </label>
      {fault.kind === "status" && (
        <>
          <Count label="Status" value={fault.status} set={(status) => set({ status })} />
          <label>
            Body{" "}
            <textarea
              rows={2}
              value={fault.body}
              placeholder='{"error": "…"}'
              spellcheck={false}
              onInput={({ currentTarget }) => set({ body: currentTarget.value })}
            />
          </label>
        </>
      )}
    </>
  );
}

interface CountProps {
  readonly label: string;
  readonly value: number;
  readonly set: (value: number) => void;
}

function Count({ label, value, set }: CountProps) {
  return (
    <label>
      {label}{" "}
      <input
        class="number"
        type="number"
        min={1}
        value={value}
        onInput={({ currentTarget }) => set(currentTarget.valueAsNumber)}
      />
    </label>
  );
}
