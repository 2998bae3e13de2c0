import { Fragment } from "preact";
import { useMemo, useState } from "preact/hooks";
import { addressOf } from "../parts/address.ts";
import { type ClientFinding, controlApi, type WorldStatus, type WorldVerdict } from "../parts/control-api.ts";
import { areClientsChecked, areResponsesChecked } from "../parts/problems.ts";
import { SidesSwitch } from "../parts/sides-switch.tsx";
import { useLatest } from "../parts/use-latest.ts";
import type { ViewProps } from "../parts/view-props.ts";
import { SeverityBadge } from "../traffic/outcome-badge.tsx";
import { useTraffic } from "../traffic/use-traffic.ts";
import {
  brokenIn,
  brokenKey,
  countsOf,
  type OperationMatrix,
  type Outcome,
  operationsOf,
  outcomes,
} from "./verdict-matrix.ts";
import "../parts/page-parts.css";
import "./verdict-view.css";

/** Client findings and rule results of all exchanges so far. */
export function VerdictView({ world, sides, showBoth }: ViewProps) {
  const { value: verdict, problem } = useLatest(() => controlApi.verdict(world.id), `${world.epoch} ${world.revision}`);
  const [wanted, setWanted] = useState<Outcome>();
  return (
    <div class="verdict-view">
      <h2 class="unseen">Verdict</h2>
      <p class="problem" role="alert">
        {problem ?? ""}
      </p>
      <SidesSwitch sides={sides} showBoth={showBoth} />
      {verdict !== undefined && areClientsChecked(sides) && (
        <ClientFindings world={world} findings={verdict.clientFindings} />
      )}
      {verdict !== undefined && areResponsesChecked(sides) && (
        <>
          <Summary world={world} verdict={verdict} />
          <Filter verdict={verdict} wanted={wanted} setWanted={setWanted} />
          <Violations world={world} verdict={verdict} wanted={wanted} />
          <Matrix verdict={verdict} wanted={wanted} />
        </>
      )}
    </div>
  );
}

interface ClientFindingsProps {
  readonly world: WorldStatus;
  readonly findings: readonly ClientFinding[];
}

/** The client rules that the client broke, each kind once. */
function ClientFindings({ world, findings }: ClientFindingsProps) {
  return (
    <section class="broken" aria-labelledby="client-findings">
      <h3 id="client-findings">Client findings</h3>
      {findings.length === 0 && <p>The client has broken no client rule.</p>}
      <ul>
        {findings.map((finding) => (
          <li key={finding.kind}>
            <p class="rule">
              <SeverityBadge severity={finding.severity} /> <b class="code">{finding.rule}</b> in{" "}
              <span class="code">{finding.operationId}</span>, {timesText(finding.count)}.{" "}
              <a href={addressOf("traffic", world.id, finding.exchange + 1)}>Exchange {finding.exchange + 1}</a>
            </p>
            <Facts
              facts={[
                ["Expected", finding.expected],
                ["Actual", finding.actual],
                ["At", finding.pointer === "" ? "the whole request" : finding.pointer],
                ["Advice", finding.advice],
                ["Spec", `§${finding.section}: ${finding.sentence}`],
              ]}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Facts({ facts }: { readonly facts: readonly (readonly [name: string, value: string])[] }) {
  return (
    <dl>
      {facts.map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd class={name === "At" ? "code" : undefined}>{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}

function timesText(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}

interface WorldVerdictProps {
  readonly world: WorldStatus;
  readonly verdict: WorldVerdict;
}

function Summary({ world, verdict }: WorldVerdictProps) {
  const { ledger, registry } = verdict.profile;
  return (
    <div class="summary">
      <p>
        {verdict.passed} passed, {verdict.known} known divergences, {verdict.warned} warnings, {verdict.failed} failed,{" "}
        {verdict.planned} planned, {verdict.unsupported} unsupported. Checked against ledger <b>{ledger}</b> and
        registry <b>{registry}</b>.
      </p>
      <a class="download" href={controlApi.reportUrl(world.id)} download={`understudy-${world.id}.html`}>
        Download the report
      </a>
    </div>
  );
}

/** Symbols that distinguish outcomes without colour. */
const symbols: Readonly<Record<Outcome, string>> = { FAIL: "✗", WARN: "?", KNOWN: "≈", PASS: "✓" };

interface FilterState {
  readonly verdict: WorldVerdict;
  readonly wanted: Outcome | undefined;
}

function Filter({
  verdict,
  wanted,
  setWanted,
}: FilterState & { readonly setWanted: (to: Outcome | undefined) => void }) {
  const counts = useMemo(() => countsOf(verdict.matrix), [verdict]);
  return (
    <fieldset class="outcomes">
      <legend class="unseen">Filter by outcome</legend>
      <button type="button" aria-pressed={wanted === undefined} onClick={() => setWanted(undefined)}>
        All
      </button>
      {outcomes.map((outcome) => (
        <button
          key={outcome}
          type="button"
          class={outcome.toLowerCase()}
          aria-pressed={wanted === outcome}
          onClick={() => setWanted(wanted === outcome ? undefined : outcome)}
        >
          {symbols[outcome]} {outcome} {counts[outcome]}
        </button>
      ))}
    </fieldset>
  );
}

function Violations({ world, verdict, wanted }: WorldVerdictProps & FilterState) {
  const { lines } = useTraffic(world).log;
  const numbers = useMemo(() => brokenIn(lines), [lines]);
  const shown = verdict.violations.filter(({ outcome }) => wanted === undefined || outcome === wanted);
  return (
    <section class="broken" aria-labelledby="broken">
      <h3 id="broken">Broken rules</h3>
      {shown.length === 0 && (
        <p>{wanted === undefined ? "No broken rules." : `No broken rules with outcome ${wanted}.`}</p>
      )}
      <ul>
        {shown.map((violation) => (
          <li key={JSON.stringify(violation)}>
            <Violation violation={violation} world={world} number={numbers.get(brokenKey(violation)) ?? 0} />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface ViolationProps {
  readonly world: WorldStatus;
  readonly violation: WorldVerdict["violations"][number];
  /** The number of the exchange; 0 if the journal has dropped it. */
  readonly number: number;
}

function Violation({ world, violation, number }: ViolationProps) {
  const { rule, operationId, status, outcome, section, pointer, expected, actual, count } = violation;
  return (
    <>
      <p class="rule">
        <b class={`outcome ${outcome.toLowerCase()}`}>{outcome}</b> <b class="code">{rule}</b> in{" "}
        <span class="code">{operationId}</span> with status {statusText(status)}, {timesText(count)}.{" "}
        <a href={addressOf("traffic", world.id, number)}>{number === 0 ? "Traffic" : `Exchange ${number}`}</a>
      </p>
      <Facts
        facts={[
          ["Expected", expected],
          ["Actual", actual],
          ["At", pointer === "" ? "the whole response" : pointer],
          ["Spec", `§${section}`],
        ]}
      />
    </>
  );
}

function statusText(status: number): string {
  return status === 0 ? "incomplete" : String(status);
}

function Matrix({ verdict, wanted }: FilterState) {
  const operations = useMemo(() => operationsOf(verdict.matrix, wanted), [verdict, wanted]);
  return (
    <section class="matrix" aria-labelledby="matrix">
      <h3 id="matrix">Operations, statuses and rules</h3>
      {operations.length === 0 && (
        <p>{wanted === undefined ? "No exchange was checked yet." : `No result with outcome ${wanted}.`}</p>
      )}
      <div class="operations">
        {operations.map((operation) => (
          <OperationTable key={operation.operationId} operation={operation} />
        ))}
      </div>
    </section>
  );
}

function OperationTable({ operation: { operationId, statuses, rows } }: { readonly operation: OperationMatrix }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="operation" aria-label={operationId} tabIndex={0}>
      <table>
        <caption class="code">{operationId}</caption>
        <thead>
          <tr>
            <th scope="col">Rule</th>
            {statuses.map((status) => (
              <th key={status} scope="col">
                {statusText(status)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ rule, cells }) => (
            <tr key={rule}>
              <th scope="row" class="rule-name code">
                {rule}
              </th>
              {cells.map((entries, column) => (
                <td key={statuses[column]}>
                  {entries.map(({ outcome, count }) => (
                    <span key={outcome} class={`outcome ${outcome.toLowerCase()}`}>
                      {symbols[outcome]} {outcome} {count}
                    </span>
                  ))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
