import { Document, visit } from "yaml";
import { formatJson, type Json, type JsonObject } from "../../foundation/json/json.ts";
import { fileLimits } from "../files/file-limits.ts";
import { NotPlayable } from "./not-playable.ts";

/** Longest collection on one line, in characters. */
const lineLengthMax = 120;

/** Paths in a scenario, relative to its file. */
export interface ScenarioPaths {
  readonly given: { readonly ledger: string; readonly registry: string };
  /** Paths of the API descriptions, by the name of their source. */
  readonly sources: Readonly<Record<"ledger" | "registry" | "additionalOperations" | "control", string>>;
}

interface ScenarioParts {
  readonly name: string;
  readonly description: string;
  readonly profile: string;
  readonly startMs: number;
  readonly plan: readonly JsonObject[];
  readonly steps: readonly JsonObject[];
}

/** The scenario as formatted YAML. */
export function scenarioText(parts: ScenarioParts, paths: ScenarioPaths): string {
  const { name, description, profile, startMs, plan, steps } = parts;
  const value = {
    arazzo: "1.0.1",
    info: { title: `${name} (recorded)`, version: "1.0.0", description },
    sourceDescriptions: Object.entries(paths.sources).map(([source, url]) => ({ name: source, url, type: "openapi" })),
    workflows: [
      {
        workflowId: name,
        "x-understudy": {
          profile,
          profiles: [profile],
          given: paths.given,
          clock: { start: new Date(startMs).toISOString().replace(".000Z", "Z"), mode: "frozen" },
          ...(plan.length === 0 ? {} : { plan: [...plan] }),
        },
        steps: [...steps],
      },
    ],
  };
  return yamlOf(value, undefined);
}

/** A fixture as YAML; `moment` says when its state was that of the node. */
export function fixtureText(kind: "ledger" | "registry", value: JsonObject, moment: string): string {
  const what = kind === "ledger" ? "participant" : "registry";
  const heading = ` The ${what} ${moment}, as its responses show it. Values that no response shows are placeholders.`;
  return yamlOf(value, heading);
}

function yamlOf(value: Json, heading: string | undefined): string {
  const { fileNestingMax } = fileLimits;
  if (isDeeper(value, fileNestingMax))
    throw new NotPlayable(
      `a value of the recording is nested too deeply for a file, which has ${fileNestingMax} levels.`,
    );
  const document = new Document(value, { aliasDuplicateObjects: false });
  visit(document, {
    Collection: (_key, node, path) => {
      if (path.length > 2 && formatJson(node.toJS(document)).length <= lineLengthMax) node.flow = true;
    },
  });
  if (heading !== undefined) document.commentBefore = heading;
  return document.toString({ lineWidth: 0 });
}

function isDeeper(value: Json, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}
