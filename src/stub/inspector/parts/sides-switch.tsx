import { useMemo } from "preact/hooks";
import type { TrafficLine } from "./control-api.ts";
import { addedBySides, type Sides } from "./problems.ts";
import "./sides-switch.css";

interface SidesSwitchProps {
  readonly sides: Sides;
  readonly lines: readonly TrafficLine[];
  readonly showBoth: (areBothShown: boolean) => void;
}

/** The switch for the rules about the other side: the responses of a stub, or the client of a recorded node. It says what it changes. */
export function SidesSwitch({ sides: { isStub, areBothShown }, lines, showBoth }: SidesSwitchProps) {
  const added = useMemo(() => (areBothShown ? addedBySides(lines, isStub) : ""), [lines, isStub, areBothShown]);
  return (
    <>
      <label class="sides-switch">
        <input
          type="checkbox"
          checked={areBothShown}
          onChange={({ currentTarget }) => showBoth(currentTarget.checked)}
        />{" "}
        {isStub ? "Check the stub too" : "Check the client too"}
      </label>
      <span class="sides-added quiet" role="status">
        {added}
      </span>
    </>
  );
}
