import type { Body } from "../../foundation/http/body.ts";
import { type HeaderList, headerValues, mediaType } from "../../foundation/http/header.ts";
import { isJsonObject, jsonOf } from "../../foundation/json/json.ts";
import { shortened } from "../../foundation/text/shortened.ts";
import { codeBlock, codeSpan, plainText } from "./markdown-text.ts";
import { planEvents } from "./plan-events.ts";
import { conditionsOf, type PlayedScenario, type PlayedStep } from "./played-scenario.ts";
import { sequenceDiagram } from "./sequence-diagram.ts";
import { shortJson } from "./short-json.ts";

/** A Markdown page of a scenario: its initial state, a sequence diagram, and each step with its response. */
export function markdownOf(played: PlayedScenario): string {
  const { title, description, steps, profile } = played;
  const paragraphs = [
    `# ${plainText(title)}`,
    ...(description === "" ? [] : [plainText(description)]),
    `Played in profile ${codeSpan(profile.ledger)} (registry ${codeSpan(profile.registry)}) from ${codeSpan(played.file)}.`,
    "## Initial state",
    initialStateTable(played),
    ...planParagraphs(played),
    "## Sequence",
    codeBlock("mermaid", sequenceDiagram(played)),
    "## Steps",
    ...steps.flatMap(stepParagraphs),
  ];
  return `${paragraphs.join("\n\n")}\n`;
}

function initialStateTable({ world }: PlayedScenario): string {
  const given = isJsonObject(world["given"]) ? world["given"] : {};
  const clock = isJsonObject(world["clock"]) ? world["clock"] : {};
  const rows = [
    ["ledger", given["ledger"]],
    ["registry", given["registry"]],
    ["clock", [clock["mode"] ?? "frozen", clock["start"]].filter((part) => part !== undefined).join(", from ")],
    ["seed", world["seed"] ?? 1],
  ].map(([name, value]) => `| ${String(name)} | ${codeSpan(String(value)).replaceAll("|", "\\|")} |`);
  return ["| Setting | Value |", "| --- | --- |", ...rows].join("\n");
}

function planParagraphs(played: PlayedScenario): readonly string[] {
  const events = planEvents(played);
  if (events.length === 0) return [];
  const lines = events.map(({ description, when }) => `- ${plainText(when)}: ${plainText(description)}`);
  return ["Planned events:", lines.join("\n")];
}

function stepParagraphs(step: PlayedStep, index: number): readonly string[] {
  const { operation, description, exchange } = step;
  const { request, response } = exchange;
  const section = operation.section === "" ? "" : `, spec §${operation.section}`;
  const conditions = conditionsOf(step);
  return [
    `### ${index + 1}. ${plainText(step.stepId)}`,
    ...(description === "" ? [] : [plainText(description)]),
    `${codeSpan(`${request.method} ${request.target}`)} (${plainText(operation.operationId)}${section})${tokenText(request.headers)}`,
    ...bodyParagraphs(request.body),
    response.type === "response"
      ? `Response: ${codeSpan([response.status, mediaType(response.headers) ?? ""].join(" ").trim())}`
      : `No complete response: ${codeSpan(response.kind)}`,
    ...(response.type === "response" && isBodyShown(step, conditions) ? bodyParagraphs(response.body) : []),
    ...(conditions.length === 0
      ? []
      : ["Conditions:", conditions.map((condition) => `- ${codeSpan(condition)}`).join("\n")]),
  ];
}

/** The control API returns the whole world. It is only shown if a condition uses it. */
function isBodyShown({ operation }: PlayedStep, conditions: readonly string[]): boolean {
  return operation.api !== "control" || conditions.some((condition) => condition.includes("$response.body"));
}

/** Says that a token was sent. The token is not shown. */
function tokenText(headers: HeaderList): string {
  return headerValues(headers, "authorization").length > 0 ? ", with a token" : "";
}

const plainBodyMax = 400;

function bodyParagraphs(body: Body): readonly string[] {
  const text = body.text();
  if (text === "") return [];
  const json = jsonOf(text);
  return [json === undefined ? codeBlock("text", shortened(text, plainBodyMax)) : codeBlock("json", shortJson(json))];
}
