import type { ClientRule } from "../../checker/client-rules/client-rule.ts";
import { clientRules } from "../../checker/client-rules/index.ts";
import { probes } from "../../checker/probes/index.ts";
import type { Probe } from "../../checker/probing/probe.ts";
import { rules } from "../../checker/rules/index.ts";
import type { Rule } from "../../checker/rules/rule.ts";
import type { JsonObject } from "../../foundation/json/json.ts";
import { contracts, type Divergence, type ErrorCode } from "../../foundation/spec/contracts.ts";
import type { SpecOperation } from "../../foundation/spec/operation.ts";
import { defaultProfileOf, loadSpec } from "../../foundation/spec/spec.ts";

/** What the reference pages say about an id. */
export interface ReferenceEntry extends JsonObject {
  readonly id: string;
  readonly kind: string;
  readonly summary: string;
  /** Page of the docs in the package. */
  readonly page: string;
}

/** Examples, and divergences of a rule, in an entry. */
const listedMax = 10;

/** Entries of all rules, client rules, probes, divergences, error codes and operations. */
export function referenceEntries(): readonly ReferenceEntry[] {
  const spec = loadSpec(
    { ledger: defaultProfileOf("ledger"), registry: defaultProfileOf("registry") },
    { hasAdditionalOperations: true },
  );
  return [
    ...rules.map(ruleEntry),
    ...clientRules.map(clientRuleEntry),
    ...probes.map(probeEntry),
    ...divergenceEntries(),
    ...contracts.errorCodes.codes.map(errorCodeEntry),
    ...spec.operations.map(operationEntry),
  ];
}

function ruleEntry({ id, type, section, severity, summary, examples }: Rule): ReferenceEntry {
  const divergences = allDivergences().filter(({ divergence: { rule } }) => rule === id);
  return {
    id,
    kind: "rule for the node or registry",
    summary,
    section: `spec §${section}`,
    severity,
    looksAt: type === "trace" ? "several exchanges" : "one exchange",
    brokenBy: examples.broken.slice(0, listedMax).map(({ name }) => name),
    knownDivergences: divergences.slice(0, listedMax).map(({ divergence }) => `${divergence.id}: ${divergence.title}`),
    page: `docs/reference/rules.md#${id}`,
  };
}

function clientRuleEntry({ id, section, severity, summary, sentence, why, advice }: ClientRule): ReferenceEntry {
  const page = `docs/reference/client-rules/${id}.md`;
  return { id, kind: "rule for clients", summary, section: `spec §${section}`, severity, sentence, why, advice, page };
}

function probeEntry({ id, section, safety, summary, needs, reaches }: Probe): ReferenceEntry {
  return {
    id,
    kind: "probe of understudy check",
    summary,
    section: `spec §${section}`,
    safety,
    needs: [...needs],
    reaches: [...new Set(reaches)],
    page: "docs/reference/probes.md",
  };
}

interface DivergenceOfProfile {
  readonly profile: string;
  readonly divergence: Divergence;
}

function allDivergences(): readonly DivergenceOfProfile[] {
  const all = Object.entries(contracts.divergences).flatMap(([profile, known]) =>
    known.map((divergence) => ({ profile, divergence })),
  );
  return [...new Map(all.map((one) => [one.divergence.id, one])).values()];
}

function divergenceEntries(): readonly ReferenceEntry[] {
  return allDivergences().map(({ divergence }) => {
    const { id, title, operations, rule, actual, evidence, played } = divergence;
    const profiles = Object.entries(contracts.divergences).flatMap(([profile, known]) =>
      known.some((other) => other.id === id) ? [profile] : [],
    );
    return {
      id,
      kind: "known divergence of a release from the spec; a check reports it as KNOWN",
      summary: title,
      actual,
      operations: [...operations],
      profiles,
      ...(rule === "none" ? {} : { rule }),
      playedByStub: played,
      evidence,
      page: `docs/reference/divergences.md#${id.toLowerCase()}`,
    };
  });
}

function errorCodeEntry({ code, category, http, when, context }: ErrorCode): ReferenceEntry {
  const { name = "", retryInfo = null } = contracts.errorCodes.categories[category] ?? {};
  return {
    id: code,
    kind: "error code of the ledger",
    summary: when,
    status: http,
    category: `${category} ${name}`.trim(),
    retryAfter: retryInfo,
    context: [...context],
    page: "docs/reference/error-codes.md",
  };
}

function operationEntry({ operationId, api, method, path, section, isAdditional }: SpecOperation): ReferenceEntry {
  return {
    id: operationId,
    kind: `operation of the ${api === "ledger" ? "JSON Ledger API" : "token registry"}`,
    summary: `${method} ${path}`,
    ...(isAdditional ? { isAdditional } : { section: `spec §${section}` }),
    page: "docs/reference/supported-endpoints.md",
  };
}
