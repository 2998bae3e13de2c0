import { writeHar } from "../recording/write-har.ts";
import { curlScript } from "./curl-script.ts";
import { markdownOf } from "./markdown.ts";
import type { PlayedScenario } from "./played-scenario.ts";

/** A form in which a played scenario is handed on. */
export interface Renderer {
  /** How its files end. */
  readonly extension: string;
  render(played: PlayedScenario): string;
}

/** Every form by its name on the command line. */
export const renderers: Readonly<Record<string, Renderer>> = {
  markdown: { extension: ".md", render: markdownOf },
  curl: { extension: ".sh", render: curlScript },
  har: {
    extension: ".har",
    render: ({ steps, version }) =>
      writeHar(
        steps.map(({ exchange }) => exchange),
        version,
      ),
  },
};
