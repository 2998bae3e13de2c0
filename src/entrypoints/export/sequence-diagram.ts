import { planEvents } from "./plan-events.ts";
import type { PlayedScenario, PlayedStep } from "./played-scenario.ts";

type Actor = "ledger" | "registry" | "control";
const actors = ["ledger", "registry", "control"] as const;

/** A Mermaid sequence diagram: each request with its response, and the events of the plan in between. */
export function sequenceDiagram(played: PlayedScenario): string {
  const present = actors.filter((actor) => played.steps.some((step) => actorOf(step) === actor));
  const events = planEvents(played);
  const span = present.length > 1 ? `${present[0]},${present.at(-1)}` : (present[0] ?? "client");
  const lines = played.steps.flatMap((step, index) => [
    ...events
      .filter(({ beforeStep }) => beforeStep === index)
      .map(({ description }) => `Note over ${span}: ${diagramText(description)}`),
    ...messagesOf(step),
  ]);
  return ["sequenceDiagram", ...["client", ...present].map((actor) => `participant ${actor}`), ...lines].join("\n  ");
}

function actorOf({ operation }: PlayedStep): Actor {
  return operation.api;
}

function messagesOf(step: PlayedStep): readonly string[] {
  const actor = actorOf(step);
  const { request, response } = step.exchange;
  const path = request.target.split("?")[0] ?? "";
  const requested = `client->>${actor}: ${diagramText(`${step.stepId}: ${request.method} ${path}`)}`;
  const received = response.type === "response" ? String(response.status) : `no complete response (${response.kind})`;
  return [requested, `${actor}${response.type === "response" ? "-->>" : "--x"}client: ${diagramText(received)}`];
}

/** Replaces characters that have a meaning in Mermaid by their code points. */
function diagramText(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.replaceAll(/[^A-Za-z0-9 _.,/?=@'()-]/gu, (character) =>
    character === ":" ? ":" : `#${character.codePointAt(0)};`,
  );
}
