import { maskedExchange } from "../../checker/reports/masked-exchange.ts";
import { formatJson } from "../../foundation/json/json.ts";
import { loadSpec } from "../../foundation/spec/spec.ts";
import { writeHar } from "../../recordings/har/write-har.ts";
import { createRedactor } from "../../recordings/redaction/redactor.ts";
import { writePact } from "../pact/write-pact.ts";
import { curlScript } from "./curl-script.ts";
import { markdownOf } from "./markdown.ts";
import type { PlayedScenario } from "./played-scenario.ts";

/** An export format of a played scenario. */
export interface Renderer {
  /** Extension of its files. */
  readonly extension: string;
  render(played: PlayedScenario): string;
}

/** Masks the secrets of a scenario for a page. Requests that are sent again need the tokens of the scenario. */
function withoutSecrets(played: PlayedScenario): PlayedScenario {
  return { ...played, steps: played.steps.map((step) => ({ ...step, exchange: maskedExchange(step.exchange) })) };
}

/** The export formats by name. */
export const renderers: Readonly<Record<string, Renderer>> = {
  markdown: { extension: ".md", render: (played) => markdownOf(withoutSecrets(played)) },
  curl: { extension: ".sh", render: curlScript },
  har: {
    extension: ".har",
    // Redacts as `record` does, so the exchanges still match the spec.
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
      const consumer = scenario.main.id;
      return `${formatJson(writePact({ scenario, steps: results, spec, consumer, provider: "canton", version }).pact, 2)}\n`;
    },
  },
};
