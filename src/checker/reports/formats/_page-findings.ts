import { shortened } from "../../../foundation/text/shortened.ts";
import type { CountedViolation } from "../../engine/verdict.ts";
import { rules } from "../../rules/index.ts";
import { divergenceUrl, explainCommand, ruleUrl } from "../docs-links.ts";
import type { Report } from "../report.ts";
import { markedMessage } from "./_marked-message.ts";
import { type Markup, markup, noMarkup } from "./_markup.ts";
import { countOf, markOfViolation, type ViolationGroup } from "./_matrix.ts";
import { counted, messageText, placeText, times } from "./_phrases.ts";

/** All findings, folded except the first failure; equal warnings are one. A link to a finding opens it. */
export function findingsSection(report: Report, groups: readonly ViolationGroup[]): Markup {
  const { violationsDropped } = report.summary;
  const dropped =
    violationsDropped === 0
      ? noMarkup
      : markup`<p class="result failed">${counted(violationsDropped, "further violation")} of kinds beyond the limit.</p>`;
  const found =
    groups.length === 0
      ? [markup`<p class="muted">No violation and no warning.</p>`]
      : groups.map((group, index) => findingDetails(report, group, index));
  return markup`<section id="findings" aria-labelledby="findings-title">
<h2 id="findings-title">Findings</h2>
${found}${dropped}</section>
`;
}

/** The id of a finding in the page. */
export function findingAnchor(index: number): string {
  return `finding-${index + 1}`;
}

function findingDetails(report: Report, group: ViolationGroup, index: number): Markup {
  const [violation, ...others] = group;
  const mark = markOfViolation(report, violation);
  const { rule, request, response, curl, pointer, actual } = violation;
  const places = group.map((single) => placeText(report.summary, single));
  const title = others.length === 0 ? places.join() : `same finding in ${counted(group.length, "place")}`;
  const details = [...(others.length === 0 ? [] : [["In", lines(places)] as const]), ...detailsOf(violation)];
  const isOpen = index === 0 && mark === "failed";
  return markup`<details class="finding"${isOpen ? markup` open` : noMarkup}>
<summary><span class="badge ${mark}">${mark}</span> <b>${rule}</b> ${title} ${shortened(`${pointer} ${actual}`.trim(), titleMax)} <span class="muted">${times(countOf(group))}</span></summary>
<div class="body" id="${findingAnchor(index)}">
<dl>${details.map(([name, value]) => markup`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
<h4>Request</h4>
<pre>${messageText(request)}</pre>
${response === undefined ? noMarkup : markup`<h4>Response</h4>\n<pre>${markedMessage(response, pointer)}</pre>\n`}<h4>Repeat</h4>
<pre>${curl}</pre>
</div>
</details>
`;
}

function detailsOf(violation: CountedViolation): readonly (readonly [string, string | Markup])[] {
  const { rule, expected, actual, pointer, section, divergence, probe, fingerprint } = violation;
  const summary = rules.find(({ id }) => id === rule)?.summary;
  return [
    ...(summary === undefined ? [] : [["Rule", markup`${withCode(summary)} ${link(ruleUrl(rule))}`] as const]),
    ["Explain", markup`<code>${explainCommand(rule)}</code>`],
    ["Expected", withCode(expected)],
    ["Actual", withCode(actual)],
    ["At", pointer === "" ? "(the response)" : pointer],
    ["Spec", `§${section}`],
    ...(divergence === undefined
      ? []
      : [["Known divergence", markup`${divergence} ${link(divergenceUrl(divergence))}`] as const]),
    ...(probe === undefined ? [] : [["Probe", probe] as const]),
    ["Fingerprint", fingerprint],
  ];
}

/** Characters of a finding in its title. */
const titleMax = 120;

/** A text with its parts in backticks as code. */
function withCode(text: string): Markup {
  return markup`${text.split(/`([^`]+)`/).map((part, index) => (index % 2 === 1 ? markup`<code>${part}</code>` : markup`${part}`))}`;
}

function lines(texts: readonly string[]): Markup {
  return markup`${texts.map((text) => markup`${text}<br>`)}`;
}

function link(url: string): Markup {
  return markup`<a href="${url}">docs</a>`;
}
