import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { ShownMessage } from "../../engine/shown-violation.ts";
import type { CountedViolation } from "../../engine/verdict.ts";
import { rules } from "../../rules/index.ts";
import { divergenceUrl, docsUrl, explainCommand, ruleUrl } from "../docs-links.ts";
import { failures, isAccepted, isComplete, isFailed, type Report } from "../report.ts";
import { jsonText } from "./_json-text.ts";
import { violationsInOrder } from "./_matrix.ts";
import { checkedAgainst, placeText, resultSentence, statusText, times, traceLimits } from "./_phrases.ts";

/**
 * Renders SARIF 2.1.0 for code hosts and editors. An operation is a logical location. GitHub code scanning rejects the log
 * if one result has no file and line, or a URL as file. So a result of a live target without a file gets a path and line 1.
 */
export function renderSarif(report: Report): string {
  const { summary, sources } = report;
  return jsonText({
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "understudy",
            informationUri: docsUrl,
            rules: [...ruleDescriptors(), ...divergenceDescriptors(report)],
          },
        },
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
          ...summary.knownDivergences.map(({ id, title, count }, index) => ({
            ruleId: id,
            ruleIndex: rules.length + index,
            level: "note",
            message: { text: `Known divergence, observed ${times(count)}: ${title}` },
            locations: [locationOf(report, sources[0] ?? id)],
            partialFingerprints: fingerprintsOf(id),
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
    help: { text: `${summary} See spec §${section}. Without a network: ${explainCommand(id)}` },
    helpUri: ruleUrl(id),
    defaultConfiguration: { level: severity },
    properties: { section, tags: ["canton", "conformance"] },
  }));
}

/** An observed known divergence is a SARIF rule of its own, separate from the rule that found it. */
function divergenceDescriptors({ summary }: Report): readonly object[] {
  return summary.knownDivergences.map(({ id, title }) => ({
    id,
    shortDescription: { text: title },
    help: {
      text: `${title} A known difference between the release and the spec. Without a network: ${explainCommand(id)}`,
    },
    helpUri: divergenceUrl(id),
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
        ...locationOf(report, pathOf(report, operationId)),
        logicalLocations: [
          { name: operationId, fullyQualifiedName: `${place}${pointer === "" ? "" : ` ${pointer}`}`, kind: "function" },
        ],
      },
    ],
    occurrenceCount: count,
    partialFingerprints: fingerprintsOf(fingerprint),
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

/** Code scanning compares the hash, which it would else compute of the line: all findings of a rule have the same one. */
function fingerprintsOf(fingerprint: string): Readonly<Record<string, string>> {
  const hash = bytesToHex(sha256(utf8ToBytes(fingerprint))).slice(0, 16);
  return { "understudyViolation/v1": fingerprint, primaryLocationLineHash: `${hash}:1` };
}

/** The file that describes the target, the recording, or the baseline; `otherwise` for a live target without any of them. */
function locationOf({ place, baseline, sources }: Report, otherwise: string): object {
  const file = place?.file ?? sources.find(isFile) ?? baseline?.file;
  const region = { startLine: place?.line ?? 1 };
  return { physicalLocation: { artifactLocation: { uri: uriOf(file ?? otherwise) }, region } };
}

function pathOf({ summary }: Report, operationId: string): string {
  const path = summary.operations.find((operation) => operation.operationId === operationId)?.path ?? operationId;
  return path.replace(/^\//, "");
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
    ...traceLimits(report.summary).map((text) => ({ level: "note", message: { text } })),
  ];
}
