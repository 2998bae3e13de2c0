import type { Outcome } from "../../checker/engine/exchange-verdict.ts";
import type { ValuePath } from "../../scenarios/files/source-file.ts";
import type { Interaction } from "./interaction.ts";

/** A difference between an interaction and the spec. */
export interface PactFinding {
  /** `FAIL`: no conforming provider satisfies the interaction. `WARN`: a conforming provider may not satisfy it. `KNOWN`: a known divergence. */
  readonly outcome: Exclude<Outcome, "PASS">;
  readonly at: "request" | "response";
  /** JSON pointer into the body; empty outside the body. */
  readonly pointer: string;
  /** What the spec says. */
  readonly expected: string;
  /** What the Pact says. */
  readonly actual: string;
  /** Section of the spec; empty for a finding about the Pact itself. */
  readonly section: string;
  /** Id of the conformance rule, if one reported the finding. */
  readonly rule?: string;
  readonly divergence?: string | undefined;
  /** Path in the Pact file. */
  readonly path: ValuePath;
}

/** Result of the check of an interaction. `unsupported`: neither the spec nor the additional operations describe its operation. */
export interface CheckedInteraction {
  readonly interaction: Interaction;
  readonly outcome: "fine" | "warned" | "contradicts" | "unsupported";
  readonly operationId: string | undefined;
  readonly findings: readonly PactFinding[];
}
