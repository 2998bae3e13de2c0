import { maskedExchange } from "../../checker/reports/masked-exchange.ts";
import { formatJson } from "../../foundation/json/json.ts";
import { loadSpec } from "../../foundation/spec/spec.ts";
import { writeHar } from "../../recordings/har/write-har.ts";
import { createRedactor } from "../../recordings/redaction/redactor.ts";
import { workflowIdOf, writePact } from "../pact/write-pact.ts";
import { curlScript } from "./curl-script.ts";
import { markdownOf } from "./markdown.ts";
import type { PlayedScenario } from "./played-scenario.ts";

/** A form in which a played scenario is handed on. */
export interface Renderer {
  /** How its files end. */
  readonly extension: string;
  render(played: PlayedScenario): string;
}

/** What people read has no use for secrets; what is sent again has for what a scenario sends. */
function withoutSecrets(played: PlayedScenario): PlayedScenario {
  return { ...played, steps: played.steps.map((step) => ({ ...step, exchange: maskedExchange(step.exchange) })) };
}

/** Every form by its name on the command line. */
export const renderers: Readonly<Record<string, Renderer>> = {
  markdown: { extension: ".md", render: (played) => markdownOf(withoutSecrets(played)) },
  curl: { extension: ".sh", render: curlScript },
  har: {
    extension: ".har",
    // As `record` does it, so that what is left still is what the contract asks for.
    render: ({ steps, version }) => {
      const redactor = createRedactor({ keepsIds: true });
      return writeHar(
        steps.map(({ exchange }) => redactor.redact(exchange)),
        version,
      );
    },
  },
  pact: {
    extension: ".pact.json",
    render: ({ scenario, results, profile, version }) => {
      const spec = loadSpec(profile, { hasAdditionalOperations: true });
      const consumer = workflowIdOf(scenario);
      return `${formatJson(writePact({ scenario, steps: results, spec, consumer, provider: "canton", version }).pact, 2)}\n`;
    },
  },
};
