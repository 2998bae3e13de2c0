import { useState } from "preact/hooks";
import { ActionResult } from "../parts/action-result.tsx";
import { controlApi, type WorldStatus } from "../parts/control-api.ts";
import { useAction } from "../parts/use-action.ts";
import { entryOf, type Fault, faultKinds } from "./fault-entry.ts";

const blank: Fault = {
  on: "",
  kind: "commit-then-timeout",
  pointInTime: "instead",
  status: 503,
  body: "",
  delay: "PT2S",
  nth: 1,
  times: 1,
};

interface Form {
  readonly world: WorldStatus;
  readonly operations: readonly string[];
}

/** Lets coming calls of an operation go wrong. */
export function FaultForm({ world, operations }: Form) {
  const [given, setGiven] = useState(blank);
  const action = useAction();
  const fault: Fault = { ...given, on: given.on === "" ? (operations[0] ?? "") : given.on };
  const set = (change: Partial<Fault>) => setGiven({ ...given, ...change });
  const arm = async () => {
    await controlApi.plan(world.id, entryOf(fault));
    return `Call ${fault.nth} of ${fault.on} from now on will go wrong.`;
  };
  return (
    <form
      class="form"
      aria-labelledby="arm"
      onSubmit={(event) => {
        event.preventDefault();
        action.run(arm);
      }}
    >
      <h3 id="arm">Arm a fault</h3>
      <label>
        Operation{" "}
        <select value={fault.on} onChange={({ currentTarget }) => set({ on: currentTarget.value })}>
          {operations.map((operation) => (
            <option key={operation} value={operation}>
              {operation}
            </option>
          ))}
        </select>
      </label>
      <label>
        Fault{" "}
        <select
          value={fault.kind}
          onChange={({ currentTarget }) =>
            set({ kind: faultKinds.find(({ kind }) => kind === currentTarget.value)?.kind ?? blank.kind })
          }
        >
          {faultKinds.map(({ kind, title }) => (
            <option key={kind} value={kind}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <Details fault={fault} set={set} />
      <div class="fields">
        <Count label="From call" value={fault.nth} set={(nth) => set({ nth })} />
        <Count label="Times" value={fault.times} set={(times) => set({ times })} />
        <button type="submit">Arm</button>
      </div>
      <ActionResult action={action} />
    </form>
  );
}

interface DetailsOf {
  readonly fault: Fault;
  readonly set: (change: Partial<Fault>) => void;
}

/** What only some faults have. */
function Details({ fault, set }: DetailsOf) {
  if (fault.kind === "delay")
    return (
      <label>
        Late by{" "}
        <input class="short" value={fault.delay} onInput={({ currentTarget }) => set({ delay: currentTarget.value })} />
      </label>
    );
  if (fault.kind.startsWith("commit-")) return null;
  return (
    <>
      <label>
        Effect{" "}
        <select
          value={fault.pointInTime}
          onChange={({ currentTarget }) => set({ pointInTime: currentTarget.value === "after" ? "after" : "instead" })}
        >
          <option value="instead">none</option>
          <option value="after">takes effect first</option>
        </select>
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

interface Counted {
  readonly label: string;
  readonly value: number;
  readonly set: (value: number) => void;
}

function Count({ label, value, set }: Counted) {
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
