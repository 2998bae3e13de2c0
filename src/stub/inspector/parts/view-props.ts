import type { WorldStatus } from "./control-api.ts";
import type { Sides } from "./problems.ts";

/** Props of every view: the shown world and the selected exchange. */
export interface ViewProps {
  readonly world: WorldStatus;
  /** The base URL for clients of the world. */
  readonly baseUrl: string;
  /** The number of an exchange; 0 for none. */
  readonly selected: number;
  readonly select: (number: number) => void;
  /** Whose rules count. */
  readonly sides: Sides;
  readonly showBoth: (areBothShown: boolean) => void;
}
