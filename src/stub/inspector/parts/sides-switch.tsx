import type { Sides } from "./problems.ts";
import "./sides-switch.css";

interface SidesSwitchProps {
  readonly sides: Sides;
  readonly showBoth: (areBothShown: boolean) => void;
}

/** The switch for the rules about the other side: the responses of a stub, or the client of a recorded node. */
export function SidesSwitch({ sides: { isStub, areBothShown }, showBoth }: SidesSwitchProps) {
  return (
    <label class="sides-switch">
      <input type="checkbox" checked={areBothShown} onChange={({ currentTarget }) => showBoth(currentTarget.checked)} />{" "}
      {isStub ? "Check the stub too" : "Check the client too"}
    </label>
  );
}
