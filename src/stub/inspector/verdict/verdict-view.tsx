import { useMemo, useState } from "preact/hooks";
import { OutcomeBadge, ProblemName, SeverityBadge, SideBadge } from "../parts/badges.tsx";
import { controlApi, type TrafficLine, type WorldStatus, type WorldVerdict } from "../parts/control-api.ts";
import { Problem } from "../parts/problem.tsx";
import { areClientsChecked, areResponsesChecked, type Sides } from "../parts/problems.ts";
import { RuleLink } from "../parts/rule-link.tsx";
import { SidesSwitch } from "../parts/sides-switch.tsx";
import { useLatest } from "../parts/use-latest.ts";
import type { ViewProps } from "../parts/view-props.ts";
import { useTraffic } from "../traffic/use-traffic.ts";
import { exchangesText, FindingCard } from "./finding-card.tsx";
import { clientCountsOf, clientFindingsOf, unexpectedOf, violationsOf } from "./findings.ts";
import { OperationTable, statusName } from "./operation-table.tsx";
import { countsOf, type MatrixOutcome, operationsOf, outcomes } from "./verdict-matrix.ts";
import "./verdict-view.css";

/** Client findings and rule results of all exchanges so far. All numbers are numbers of exchanges. */
export function VerdictView({ world, sides, showBoth }: ViewProps) {
  const { value: verdict, problem } = useLatest(() => controlApi.verdict(world.id), `${world.epoch} ${world.revision}`);
  const { lines } = useTraffic(world).log;
  const client = verdict !== undefined && areClientsChecked(sides) && (
    <ClientPart world={world} verdict={verdict} lines={lines} sides={sides} />
  );
  return (
    <div class="verdict-view">
      <div class="verdict-head">
        <h2>Verdict</h2>
        <p class="quiet">All numbers are exchanges.</p>
        <SidesSwitch sides={sides} lines={lines} showBoth={showBoth} />
      </div>
      <Problem text={problem} />
      {/* What is checked by default comes first. */}
      {sides.isStub && client}
      {verdict !== undefined && areResponsesChecked(sides) && (
        <ResponsePart world={world} verdict={verdict} lines={lines} sides={sides} />
      )}
      {!sides.isStub && client}
    </div>
  );
}

interface PartProps {
  readonly world: WorldStatus;
  readonly verdict: WorldVerdict;
  readonly lines: readonly TrafficLine[];
  readonly sides: Sides;
}

/** The client rules that the client broke. */
function ClientPart({ world, verdict, lines, sides }: PartProps) {
  const findings = useMemo(() => clientFindingsOf(verdict.clientFindings, lines), [verdict, lines]);
  const unexpected = useMemo(() => unexpectedOf(lines, sides), [lines, sides.isStub]);
  const { errors, warnings, fine } = useMemo(() => clientCountsOf(lines, sides), [lines, sides.isStub]);
  return (
    <section class="part" aria-labelledby="client-findings">
      <h3 id="client-findings">Client findings</h3>
      <dl class="tiles">
        <Tile name="with an error" kind="fail" count={errors} />
        <Tile name="with a warning" kind="warn" count={warnings} />
        <Tile name="without a finding" kind="pass" count={fine} />
      </dl>
      {world.last > lines.length && <p class="quiet">The newest {exchangesText(lines.length)} are counted.</p>}
      {findings.length + unexpected.length === 0 && <p>The client has broken no client rule.</p>}
      <ul class="findings">
        {unexpected.map((finding) => (
          <FindingCard
            key={finding.key}
            worldId={world.id}
            kind={finding.first.severity === "error" ? "fail" : "warn"}
            finding={{ ...finding, places: [] }}
            whole=""
            title={
              <>
                <ProblemName problem={finding.first} /> in <code>{finding.first.operation}</code>
              </>
            }
            facts={[]}
          />
        ))}
        {findings.map((finding) => {
          const { severity, rule, operationId, advice, section, sentence } = finding.first;
          return (
            <FindingCard
              key={finding.key}
              worldId={world.id}
              kind={severity === "error" ? "fail" : "warn"}
              finding={finding}
              whole="the whole request"
              title={
                <>
                  <SideBadge of="client" /> <SeverityBadge severity={severity} /> <RuleLink id={rule} /> in{" "}
                  <code>{operationId}</code>
                </>
              }
              facts={[
                ["Advice", advice],
                ["Spec", `§${section}: ${sentence}`],
              ]}
            />
          );
        })}
      </ul>
    </section>
  );
}

interface TileProps {
  readonly name: string;
  readonly kind: "fail" | "warn" | "known" | "pass";
  readonly count: number;
}

function Tile({ name, kind, count }: TileProps) {
  return (
    <div class={count === 0 ? "tile" : `tile is-${kind}`}>
      <dt>{name}</dt>
      <dd>{count.toLocaleString("en")}</dd>
    </div>
  );
}

/** The rules that the responses broke, failures first, and all results by operation. */
function ResponsePart({ world, verdict, lines, sides }: PartProps) {
  const [wanted, setWanted] = useState<MatrixOutcome>();
  const { ledger, registry } = verdict.profile;
  return (
    <>
      <section class="part" aria-labelledby="broken">
        <div class="verdict-head">
          <h3 id="broken">Broken rules</h3>
          <p class="quiet">Checked against {ledger === registry ? ledger : `${ledger} and ${registry}`}.</p>
          <a href={controlApi.reportUrl(world.id)} download={`understudy-${world.id}.html`}>
            Download the report
          </a>
        </div>
        <OutcomeFilter verdict={verdict} wanted={wanted} setWanted={setWanted} />
        <Violations world={world} verdict={verdict} lines={lines} sides={sides} wanted={wanted} />
        {verdict.knownDivergences.length > 0 && (wanted === undefined || wanted === "KNOWN") && (
          <Divergences divergences={verdict.knownDivergences} />
        )}
      </section>
      <Matrix verdict={verdict} wanted={wanted} />
    </>
  );
}

interface OutcomeFilterProps {
  readonly verdict: WorldVerdict;
  readonly wanted: MatrixOutcome | undefined;
  readonly setWanted: (to: MatrixOutcome | undefined) => void;
}

/** The exchanges by their worst result. Each outcome is a filter. */
function OutcomeFilter({ verdict, wanted, setWanted }: OutcomeFilterProps) {
  const counts = countsOf(verdict);
  return (
    <>
      <fieldset class="tiles">
        <legend class="unseen">Filter by outcome</legend>
        {outcomes.map((outcome) => (
          <button
            key={outcome}
            type="button"
            class={counts[outcome] === 0 ? "tile" : `tile is-${outcome.toLowerCase()}`}
            aria-pressed={wanted === outcome}
            onClick={() => setWanted(wanted === outcome ? undefined : outcome)}
          >
            <span class="tile-name">{outcome}</span>{" "}
            <span class="tile-count">{counts[outcome].toLocaleString("en")}</span>
          </button>
        ))}
      </fieldset>
      <p class="quiet">
        Not checked: {verdict.planned} with an injected fault, {verdict.unsupported} of no operation.
        {wanted !== undefined && (
          <>
            {" "}
            <button type="button" class="link" onClick={() => setWanted(undefined)}>
              Show all outcomes
            </button>
          </>
        )}
      </p>
    </>
  );
}

interface ViolationsProps extends PartProps {
  readonly wanted: MatrixOutcome | undefined;
}

function Violations({ world, verdict, lines, sides, wanted }: ViolationsProps) {
  const findings = useMemo(() => violationsOf(verdict, lines), [verdict, lines]);
  const shown = findings.filter(({ first }) => wanted === undefined || first.outcome === wanted);
  return (
    <>
      {shown.length === 0 && (
        <p>{wanted === undefined ? "No broken rules." : `No broken rules with outcome ${wanted}.`}</p>
      )}
      <ul class="findings">
        {shown.map((finding) => {
          const { outcome, rule, operationId, status, section } = finding.first;
          const kind = outcome === "FAIL" ? "FAIL" : outcome === "WARN" ? "WARN" : "KNOWN";
          return (
            <FindingCard
              key={finding.key}
              worldId={world.id}
              kind={kind === "FAIL" ? "fail" : kind === "WARN" ? "warn" : "known"}
              finding={finding}
              whole="the whole response"
              title={
                <>
                  <SideBadge of={sides.isStub ? "stub" : "node"} /> <OutcomeBadge outcome={kind} />{" "}
                  <RuleLink id={rule} /> in <code>{operationId}</code> with status {statusName(status)}
                </>
              }
              facts={[["Spec", `§${section}`]]}
            />
          );
        })}
      </ul>
    </>
  );
}

function Divergences({ divergences }: { readonly divergences: WorldVerdict["knownDivergences"] }) {
  return (
    <details class="divergences">
      <summary>Known divergences of the release ({divergences.length})</summary>
      <ul>
        {divergences.map(({ id, title }) => (
          <li key={id}>
            <RuleLink id={id} /> {title}
          </li>
        ))}
      </ul>
    </details>
  );
}

function Matrix({ verdict, wanted }: Pick<ViolationsProps, "verdict" | "wanted">) {
  const operations = useMemo(() => operationsOf(verdict.matrix, wanted), [verdict, wanted]);
  return (
    <section class="part" aria-labelledby="matrix">
      <h3 id="matrix">Operations, statuses and rules</h3>
      {operations.length === 0 && (
        <p>{wanted === undefined ? "No exchange was checked yet." : `No result with outcome ${wanted}.`}</p>
      )}
      <div class="operations">
        {operations.map((operation) => (
          <OperationTable key={operation.operationId} operation={operation} isWhole={wanted !== undefined} />
        ))}
      </div>
    </section>
  );
}
