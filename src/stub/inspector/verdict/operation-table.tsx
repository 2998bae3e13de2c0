import { useState } from "preact/hooks";
import { OutcomeBadge } from "../parts/badges.tsx";
import { Columns } from "../parts/columns.tsx";
import { RuleLink } from "../parts/rule-link.tsx";
import type { OperationMatrix, RuleRow } from "./verdict-matrix.ts";

interface OperationTableProps {
  readonly operation: OperationMatrix;
  /** Whether the rules that all responses passed are shown too. */
  readonly isWhole: boolean;
}

/** The results of an operation by rule and status, worst first. Rules that all responses passed are one row until it is opened. */
export function OperationTable({ operation: { operationId, statuses, rows }, isWhole }: OperationTableProps) {
  const [isOpen, setOpen] = useState(false);
  const passed = isWhole ? 0 : rows.filter(({ worst }) => worst === "PASS").length;
  const shown = isWhole || isOpen ? rows : rows.filter(({ worst }) => worst !== "PASS");
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="operation" aria-label={operationId} tabIndex={0}>
      <table>
        <caption class="code">{operationId}</caption>
        <Columns names={["Rule", ...statuses.map(statusName)]} />
        <tbody>
          {shown.map((row) => (
            <Row key={row.rule} row={row} statuses={statuses} />
          ))}
          {passed > 0 && (
            <tr>
              <td colSpan={statuses.length + 1}>
                <button type="button" class="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
                  {isOpen ? "Hide" : "Show"} {passed === 1 ? "the passed rule" : `${passed} passed rules`}
                </button>
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </section>
  );
}

function Row({ row: { rule, cells }, statuses }: { readonly row: RuleRow; readonly statuses: readonly number[] }) {
  return (
    <tr>
      <th scope="row">
        <RuleLink id={rule} />
      </th>
      {cells.map((entries, column) => (
        <td key={statuses[column]}>
          {entries.map(({ outcome, count }) => (
            <span key={outcome} class="result">
              <OutcomeBadge outcome={outcome} /> {count}
            </span>
          ))}
        </td>
      ))}
    </tr>
  );
}

export function statusName(status: number): string {
  return status === 0 ? "incomplete" : String(status);
}
