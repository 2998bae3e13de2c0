import { Document, isCollection, isMap, type Node, Scalar, visit } from "yaml";
import type { Json, JsonObject } from "../../foundation/json/json.ts";
import { formatJson } from "../../foundation/json/json.ts";
import { fileLimits } from "../files/file-limits.ts";
import { NotPlayable } from "./not-playable.ts";
import type { InferredFixture, Remark } from "./observations.ts";

/** Longest collection on one line, in characters. */
const lineLengthMax = 120;

/** Paths in a scenario, relative to its file. */
export interface ScenarioPaths {
  readonly given: { readonly ledger: string; readonly registry: string };
  /** Paths of the API descriptions, by the name of their source. */
  readonly sources: Readonly<Record<"ledger" | "registry" | "additionalOperations" | "control", string>>;
}

export interface ScenarioParts {
  readonly name: string;
  /** Name of the recording, for readers. */
  readonly origin: string;
  readonly profile: string;
  readonly startMs: number;
  readonly plan: readonly JsonObject[];
  readonly steps: readonly JsonObject[];
  readonly remarks: readonly Remark[];
}

const given = ["workflows", 0, "x-understudy"] as const;

/** The scenario as formatted YAML. */
export function scenarioText(parts: ScenarioParts, paths: ScenarioPaths): string {
  const { name, origin, profile, startMs, plan, steps, remarks } = parts;
  const value = {
    arazzo: "1.0.1",
    info: { title: `${name} (recorded)`, version: "1.0.0", description: `Inferred from ${origin}.` },
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
  const placed = remarks.map(({ path, text }) => ({ path: [...given, ...path], text }));
  return yamlOf(value, placed, undefined);
}

/** A fixture as YAML, with remarks on values that no response showed. */
export function fixtureText(kind: "ledger" | "registry", { value, remarks }: InferredFixture, origin: string): string {
  const what = kind === "ledger" ? "participant" : "registry";
  return yamlOf(value, remarks, ` The ${what} before ${origin} was recorded, inferred from its responses.`);
}

function yamlOf(value: Json, remarks: readonly Remark[], heading: string | undefined): string {
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
  for (const remark of remarks) comment(document, remark);
  if (heading !== undefined) document.commentBefore = heading;
  return document.toString({ lineWidth: 0 });
}

function isDeeper(value: Json, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

/** Puts a remark before a value; the collections around it take several lines. */
function comment(document: Document.Parsed | Document, { path, text }: Remark): void {
  let node: unknown = document.contents;
  for (const [depth, segment] of path.entries()) {
    if (!isCollection(node)) return;
    node.flow = false;
    const isLast = depth === path.length - 1;
    if (isLast && isMap(node)) {
      const pair = node.items.find(({ key }) => key instanceof Scalar && key.value === segment);
      if (pair?.key instanceof Scalar) pair.key.commentBefore = ` ${text}`;
      return;
    }
    node = node.get(segment, true);
    if (isLast && isNode(node)) node.commentBefore = ` ${text}`;
  }
}

function isNode(value: unknown): value is Node {
  return value instanceof Scalar || isCollection(value);
}
