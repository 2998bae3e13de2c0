import { type HeaderList, headerValues, mediaType } from "../../foundation/http/header.ts";
import { isJsonObject, jsonIn } from "../../foundation/json/json.ts";
import { codeBlock, codeSpan, plainText } from "./markdown-text.ts";
import { planEvents } from "./plan-events.ts";
import { conditionsOf, type PlayedScenario, type PlayedStep } from "./played-scenario.ts";
import { sequenceDiagram } from "./sequence-diagram.ts";
import { shortJson, shortText } from "./short-json.ts";

/** A page that tells a scenario: what it starts from, who speaks with whom, and each step with its response. */
export function markdownOf(played: PlayedScenario): string {
  const { title, description, steps, profile } = played;
  const paragraphs = [
    `# ${plainText(title)}`,
    ...(description === "" ? [] : [plainText(description)]),
    `Played in profile ${codeSpan(profile.ledger)} (registry ${codeSpan(profile.registry)}) from ${codeSpan(played.file)}.`,
    "## What it starts from",
    givenTable(played),
    ...planParagraphs(played),
    "## Who speaks with whom",
    codeBlock("mermaid", sequenceDiagram(played)),
    "## Steps",
    ...steps.flatMap(stepParagraphs),
  ];
  return `${paragraphs.join("\n\n")}\n`;
}

function givenTable({ world }: PlayedScenario): string {
  const given = isJsonObject(world["given"]) ? world["given"] : {};
  const clock = isJsonObject(world["clock"]) ? world["clock"] : {};
  const rows = [
    ["ledger", given["ledger"]],
    ["registry", given["registry"]],
    ["clock", [clock["mode"] ?? "frozen", clock["start"]].filter((part) => part !== undefined).join(", from ")],
    ["seed", world["seed"] ?? 1],
  ].map(([name, value]) => `| ${String(name)} | ${codeSpan(String(value)).replaceAll("|", "\\|")} |`);
  return ["| What | Is |", "| --- | --- |", ...rows].join("\n");
}

function planParagraphs(played: PlayedScenario): readonly string[] {
  const events = planEvents(played);
  if (events.length === 0) return [];
  const lines = events.map(({ what, when }) => `- ${plainText(when)}: ${plainText(what)}`);
  return ["By itself:", lines.join("\n")];
}

function stepParagraphs(step: PlayedStep, index: number): readonly string[] {
  const { operation, description, exchange } = step;
  const { request, response } = exchange;
  const section = operation.section === "" ? "" : `, section ${operation.section} of the spec`;
  const conditions = conditionsOf(step);
  return [
    `### ${index + 1}. ${plainText(step.stepId)}`,
    ...(description === "" ? [] : [plainText(description)]),
    `${codeSpan(`${request.method} ${request.target}`)} (${plainText(operation.operationId)}${section})${tokenText(request.headers)}`,
    ...bodyParagraphs(request.body),
    response.type === "response"
      ? `Answer: ${codeSpan([response.status, mediaType(response.headers) ?? ""].join(" ").trim())}`
      : `No whole response: ${codeSpan(response.kind)}`,
    ...(response.type === "response" && isTelling(step, conditions) ? bodyParagraphs(response.body) : []),
    ...(conditions.length === 0
      ? []
      : ["It shows that", conditions.map((condition) => `- ${codeSpan(condition)}`).join("\n")]),
  ];
}

/** The control API answers with the whole world, which is of interest only where something is asked of it. */
function isTelling({ operation }: PlayedStep, conditions: readonly string[]): boolean {
  return operation.api !== "control" || conditions.some((condition) => condition.includes("$response.body"));
}

/** Whether a token was sent; never which. */
function tokenText(headers: HeaderList): string {
  return headerValues(headers, "authorization").length > 0 ? ", with a token" : "";
}

const plainBodyMax = 400;

function bodyParagraphs(body: Uint8Array): readonly string[] {
  if (body.length === 0) return [];
  const json = jsonIn(body);
  const text = new TextDecoder().decode(body);
  return [json === undefined ? codeBlock("text", shortText(text, plainBodyMax)) : codeBlock("json", shortJson(json))];
}
