import type { EffectOfRelease } from "../../../foundation/spec/contracts.ts";

/** What a client notices when its node changes from one release to another. */
export interface ReleaseChange {
  readonly effect: EffectOfRelease["effect"];
  /** Method and path; `*` for all operations. */
  readonly operation: string;
  readonly text: string;
  /** Where the data is from: a switch, limit or feature of the profile, a divergence, or `schema`. */
  readonly source: string;
}
