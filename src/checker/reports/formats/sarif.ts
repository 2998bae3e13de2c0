import type { ShownMessage } from "../../engine/shown-violation.ts";
import type { CountedViolation } from "../../engine/verdict.ts";
import { rules } from "../../rules/index.ts";
import { failures, isAccepted, isComplete, isFailed, type Report } from "../report.ts";
import { jsonText } from "./_json-text.ts";
import { violationsInOrder } from "./_matrix.ts";
import { checkedAgainst, memoryLimits, placeText, resultSentence, statusText, times } from "./_phrases.ts";

/**
 * Renders SARIF 2.1.0 for code hosts and editors. An operation is a logical location. GitHub code scanning rejects the log
 * if one result has no file and line, or a URL as file. So a result without a file gets a path and line 1.
 */
export function renderSarif(report: Report): string {
  const { summary, sources } = report;
  return jsonText({
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "understudy", rules: [...ruleDescriptors(), ...divergenceDescriptors(report)] } },
        invocations: [
          {
            ...(report.command === undefined ? {} : { commandLine: report.command }),
            executionSuccessful: isComplete(report),
            ...(isComplete(report) ? { exitCode: isFailed(report) ? 1 : 0 } : {}),
            toolExecutionNotifications: notes(report),
          },
        ],
        artifacts: sources.filter(isFile).map((source) => ({ location: { uri: uriOf(source) } })),
        results: [
          ...violationsInOrder(report).map((violation) => resultOf(report, violation)),
          ...summary.knownDivergences.map(({ id, title, count }) => ({
            ruleId: id,
            level: "note",
            message: { text: `Known divergence, observed ${times(count)}: ${title}` },
            locations: report.sources.map((source) => physicalLocation(uriOf(source))),
          })),
        ],
        properties: {
          failures: failures(report).map(({ fingerprint }) => fingerprint),
          sources,
          fixed: report.baseline?.fixed ?? [],
        },
      },
    ],
  });
}

function ruleDescriptors(): readonly object[] {
  return rules.map(({ id, section, severity, summary }) => ({
    id,
    shortDescription: { text: summary },
    help: { text: `${summary} See spec §${section}.` },
    defaultConfiguration: { level: severity },
    properties: { section, tags: ["canton", "conformance"] },
  }));
}

/** An observed known divergence is a SARIF rule of its own, separate from the rule that found it. */
function divergenceDescriptors({ summary }: Report): readonly object[] {
  return summary.knownDivergences.map(({ id, title }) => ({
    id,
    shortDescription: { text: title },
    help: { text: `${title} A known difference between the release and the spec.` },
    defaultConfiguration: { level: "note" },
    properties: { tags: ["canton", "known-divergence"] },
  }));
}

function resultOf(report: Report, violation: CountedViolation): object {
  const { rule, operationId, status, pointer, expected, actual, section, curl, count, fingerprint } = violation;
  const place = `${operationId} ${statusText(status)}`;
  const accepted = isAccepted(report, violation);
  const by = report.baseline?.file ?? "";
  return {
    ruleId: rule,
    ruleIndex: rules.findIndex(({ id }) => id === rule),
    level: violation.outcome === "WARN" ? "warning" : "error",
    message: {
      text: `${placeText(report.summary, violation)}: expected ${expected}, actual ${actual} (spec §${section}).`,
    },
    locations: [
      {
        ...physicalLocation(uriOfPlace(report, operationId)),
        logicalLocations: [
          { name: operationId, fullyQualifiedName: `${place}${pointer === "" ? "" : ` ${pointer}`}`, kind: "function" },
        ],
      },
    ],
    occurrenceCount: count,
    partialFingerprints: { "understudyViolation/v1": fingerprint },
    ...(accepted ? { suppressions: [{ kind: "external", justification: `accepted by ${by}` }] } : {}),
    webRequest: webRequest(violation.request),
    ...(violation.response === undefined ? {} : { webResponse: webResponse(violation.response, status) }),
    properties: {
      section,
      pointer,
      repeat: curl,
      ...(violation.divergence === undefined ? {} : { divergence: violation.divergence }),
    },
  };
}

function physicalLocation(uri: string): object {
  return { physicalLocation: { artifactLocation: { uri }, region: { startLine: 1 } } };
}

/** The recording if it is the only source, else the path of the operation. */
function uriOfPlace({ summary, sources }: Report, operationId: string): string {
  const [source, ...others] = sources;
  if (source !== undefined && others.length === 0 && isFile(source)) return uriOf(source);
  const path = summary.operations.find((operation) => operation.operationId === operationId)?.path ?? operationId;
  return uriOf(path.replace(/^\//, ""));
}

function isFile(source: string): boolean {
  return !/^https?:/i.test(source);
}

/** A source as a file URI; the URL of a target becomes host and path. */
function uriOf(source: string): string {
  const file = isFile(source) ? source : source.replace(/^https?:\/+/i, "").replaceAll(":", "_");
  const path = file.replaceAll("\\", "/").toWellFormed().split("/").map(encodeURIComponent).join("/");
  if (path.startsWith("/")) return `file://${path}`;
  return /^[a-z]%3A\//i.test(path) ? `file:///${path.replace("%3A", ":")}` : path;
}

function webRequest({ line, headers, body }: ShownMessage): object {
  const [method = "", ...target] = line.split(" ");
  return { method, target: target.join(" "), headers: headersOf(headers), body: { text: body } };
}

function webResponse({ headers, body }: ShownMessage, statusCode: number): object {
  return { statusCode, headers: headersOf(headers), body: { text: body } };
}

/** Repeated headers are joined into one. */
function headersOf(headers: ShownMessage["headers"]): Readonly<Record<string, string>> {
  const byName = Map.groupBy(headers, ([name]) => name.toLowerCase());
  return Object.fromEntries([...byName].map(([name, values]) => [name, values.map(([, value]) => value).join(", ")]));
}

function notes(report: Report): readonly object[] {
  const skipped = (report.probing?.probes ?? []).filter(({ outcome }) => outcome === "skipped");
  const dropped = report.summary.violationsDropped > 0;
  return [
    { level: "note", message: { text: checkedAgainst(report) } },
    ...(report.incomplete ?? []).map((text) => ({
      level: "error",
      message: { text: `The check is incomplete: ${text}` },
    })),
    ...(dropped ? [{ level: "error", message: { text: resultSentence(report) } }] : []),
    ...skipped.map(({ id, reason }) => ({ level: "note", message: { text: `Probe ${id} skipped: ${reason ?? ""}` } })),
    ...memoryLimits(report.summary).map((text) => ({ level: "note", message: { text } })),
  ];
}
