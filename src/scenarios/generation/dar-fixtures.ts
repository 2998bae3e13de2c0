import { stringify } from "yaml";
import type { Dar } from "../../daml/archives/dar.ts";
import { Definitions } from "../../daml/generation/definitions.ts";
import { isParty, sampleOf } from "../../daml/generation/sample-of.ts";
import type { LfTemplate } from "../../daml/packages/definitions.ts";
import type { LfField } from "../../daml/packages/lf-type.ts";
import { isJsonObject, type JsonObject } from "../../foundation/json/json.ts";

const party = "alice::1220ab";
const synchronizer = "main::1220ab";

/** Files that start a stub with a contract of each template of a DAR. */
export interface DarFixtures {
  readonly files: readonly { readonly name: string; readonly text: string }[];
  readonly contracts: number;
  /** Ids of templates without a contract: no value of their fields ends. */
  readonly omitted: readonly string[];
}

/** Names in the files: paths from their folder, and the command that made them. */
interface DarSources {
  readonly dar: string;
  readonly operations: string;
  readonly origin: string;
}

/** A contract: its template, its argument, and the fields of the argument that are parties or lists of parties. */
interface Sample {
  readonly template: LfTemplate;
  readonly publicId: string;
  readonly payload: JsonObject;
  readonly parties: readonly string[];
}

/**
 * A ledger fixture, a registry fixture and a scenario that starts from both. The first field with a party is declared as the
 * signatory of a template, the others as its observers: who they are is an expression, which is not executed here.
 */
export function darFixtures(dar: Dar, { origin, ...sources }: DarSources): DarFixtures {
  const definitions = new Definitions(dar);
  const { name, templates } = dar.main.package;
  const samples = templates.flatMap((template): Sample | [] => {
    const payload = sampleOf({ type: "con", id: template.id, args: [] }, party, definitions);
    const shape = definitions.dataType(template.id)?.shape;
    const parties = shape?.type === "record" ? shape.fields.filter(hasParty).map((field) => field.name) : [];
    return isJsonObject(payload) ? { template, publicId: definitions.publicId(template.id), payload, parties } : [];
  });
  const found = new Set(samples.map(({ template }) => template.id));
  const json = (value: JsonObject) => `${JSON.stringify(value, undefined, 2)}\n`;
  const scenario = scenarioText(name, sources.operations, samples.length);
  return {
    files: [
      { name: "ledger.json", text: json(ledgerFixture(sources.dar, samples)) },
      { name: "registry.json", text: json(registryFixture(name, samples)) },
      { name: "scenario.arazzo.yaml", text: `# Made by \`${origin}\`.\n${scenario}` },
    ],
    contracts: samples.length,
    omitted: templates.flatMap(({ id }) => (found.has(id) ? [] : [definitions.publicId(id)])),
  };
}

function hasParty({ type }: LfField): boolean {
  return isParty(type) || (type.type === "builtin" && type.name === "List" && type.args.some(isParty));
}

function ledgerFixture(archive: string, samples: readonly Sample[]): JsonObject {
  return {
    participantId: "participant1::1220ab",
    synchronizers: [{ alias: "main", id: synchronizer }],
    parties: [{ id: party }],
    users: [{ id: "alice", rights: [{ CanActAs: party }] }],
    archives: [archive],
    templates: samples
      .filter(({ parties }) => parties.length > 0)
      .map(({ template, publicId, parties: [signatory = "", ...observers] }) => ({
        template: publicId,
        signatories: [signatory],
        observers,
        choices: Object.fromEntries(
          [...template.choices.values()]
            .filter((choice) => choice.name !== "Archive")
            .map((choice) => [choice.name, choice.isConsuming ? "consuming" : "nonconsuming"]),
        ),
      })),
  };
}

function registryFixture(name: string, samples: readonly Sample[]): JsonObject {
  return {
    admin: party,
    factory: { context: [] },
    contracts: samples.map(({ template, publicId, payload }) => ({
      name: publicId.split(":").slice(1).join(":"),
      templateId: template.id,
      packageName: name,
      createdAt: "2026-01-01T00:00:00Z",
      synchronizer,
      signatories: [party],
      payload,
    })),
  };
}

function scenarioText(name: string, source: string, contracts: number): string {
  const last = `$response.body#/${contracts - 1}/contractEntry/JsActiveContract/synchronizerId == '${synchronizer}'`;
  return stringify(
    {
      arazzo: "1.0.1",
      info: { title: name, version: "1.0.0", description: `A contract of each template of ${name}.` },
      sourceDescriptions: [{ name: "additionalOperations", url: source, type: "openapi" }],
      workflows: [
        {
          workflowId: "contracts",
          "x-understudy": {
            given: { ledger: "ledger.json", registry: "registry.json" },
            profile: "canton-3.6",
            clock: { start: "2026-01-01T00:05:00Z", mode: "frozen" },
            seed: 7,
          },
          steps: [
            {
              stepId: "contracts",
              description: "The party sees its contracts.",
              operationId: "$sourceDescriptions.additionalOperations.postV2StateActive-contracts",
              parameters: [{ name: "Authorization", in: "header", value: "Bearer alice" }],
              requestBody: {
                contentType: "application/json",
                payload: { eventFormat: { filtersByParty: { [party]: {} }, verbose: true }, activeAtOffset: 0 },
              },
              successCriteria: ["$statusCode == 200", ...(contracts === 0 ? [] : [last])].map((condition) => ({
                condition,
              })),
            },
          ],
        },
      ],
    },
    { lineWidth: 0 },
  );
}
