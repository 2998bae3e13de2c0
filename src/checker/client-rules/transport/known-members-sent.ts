import { isJsonObject, type Json, type JsonObject } from "../../../foundation/json/json.ts";
import { escapeSegment } from "../../../foundation/spec/operation.ts";
import type { Shape } from "../../../foundation/spec/shape.ts";
import { suggestion } from "../../../foundation/text/suggestion.ts";
import type { CheckedExchange, Finding } from "../../rules/rule.ts";
import { executeExample } from "../../rules/sample-submissions.ts";
import { repeatedGrant } from "../../rules/sample-users.ts";
import { vetting, vettingChange } from "../../rules/sample-vetting.ts";
import { lookupExample, transfer } from "../_samples.ts";
import type { ClientRule } from "../client-rule.ts";

const update = { ...vetting, operationId: "postV2Package-vettingUpdate", target: "/v2/package-vetting/update" };
const vet = (entry: JsonObject) => ({ changes: [vettingChange("Vet", { packageId: "ab", ...entry })] });

/** Objects whose members the profile leaves open are skipped: in profile `spec` all that the spec does not show. */
export const knownMembersSent: ClientRule = {
  type: "exchange",
  id: "known-members-sent",
  section: "2",
  severity: "error",
  sentence: "A member has the JSON type that the spec names.",
  summary: "A request has only members that the profile knows.",
  why: "A node ignores an unknown member without an error: a misspelt `dryRun` changes the node.",
  advice: "Use the known name, or omit the member.",
  appliesTo: ({ operation, requestJson }) => operation.requestSchema !== undefined && isJsonObject(requestJson),
  check: (checked) => unknownMembers(checked),
  examplesIn: "canton-3.5",
  examples: {
    kept: [
      { ...update, name: "known members", requestBody: { ...vet({}), dryRun: true } },
      { ...executeExample("YQ==", "s"), name: "all required members of an execution" },
      { ...lookupExample(transfer("1.0")), name: "choice arguments, whose members the registry checks" },
    ],
    broken: [
      { ...update, name: "the spelling of the spec's text", requestBody: { ...vet({}), dry_run: true } },
      { ...update, name: "a nested member", requestBody: vet({ packageid: "ab" }) },
      { ...repeatedGrant, name: "a misspelt list", requestBody: { userId: "a", right: [] } },
      {
        ...repeatedGrant,
        name: "a rejected request",
        requestBody: { userId: "a", surprise: null },
        status: 404,
        body: '{"code":"USER_NOT_FOUND","cause":"x","context":{},"errorCategory":11}',
      },
    ],
  },
};

/** Unknown members that are reported for one request. */
const reportedMax = 20;
const namesShown = 3;

function unknownMembers({ spec, operation, requestJson }: CheckedExchange): readonly Finding[] {
  const { requestSchema, api } = operation;
  if (requestSchema === undefined || requestJson === undefined) return [];
  const shape = spec.shapes[api].shapeAt(requestSchema);
  const fields = api === "ledger" ? spec.describedFields(requestSchema) : [];
  if (fields.length === 0 && areNamesKnown(requestJson, shape)) return none;
  const described = fields.flatMap(({ names }) => names);
  const findings: Finding[] = [];
  collect(findings, requestJson, shape, "", described);
  return findings;
}

const none: readonly Finding[] = [];

/** Whether the schema shows every member of a value, as it does for most requests. */
function areNamesKnown(value: Json | undefined, shape: Shape): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (isJsonObject(value)) return shape.properties.size === 0 || areMembersKnown(value, shape);
  for (const element of value) if (!areNamesKnown(element, shape.items)) return false;
  return true;
}

function areMembersKnown(value: JsonObject, { properties }: Shape): boolean {
  for (const name in value) {
    const known = properties.get(name);
    if (known === undefined || !areNamesKnown(value[name], known)) return false;
  }
  return true;
}

/** Arguments of a choice, in the encoding of Daml; the registry refuses unknown members there. */
const choiceArguments = "/choiceArguments";

/** Adds the unknown members of a value. `more` has further known names of the object itself. */
function collect(findings: Finding[], value: Json, shape: Shape, pointer: string, more: readonly string[] = []): void {
  if (Array.isArray(value)) {
    for (const [index, entry] of value.entries()) collect(findings, entry, shape.items, `${pointer}/${index}`);
    return;
  }
  if (!isJsonObject(value) || shape.properties.size + more.length === 0) return;
  for (const [name, inner] of Object.entries(value)) {
    if (findings.length >= reportedMax) return;
    const known = shape.properties.get(name);
    if (known !== undefined && (typeof inner !== "object" || inner === null)) continue;
    const place = `${pointer}/${escapeSegment(name)}`;
    if (place === choiceArguments) continue;
    if (known !== undefined) collect(findings, inner, known, place);
    else if (!more.includes(name) && !isDebugField(place))
      findings.push(unknownMember(name, place, [...shape.properties.keys(), ...more]));
  }
}

/** Debug members of disclosed contracts break a rule of their own, `debug-fields-stay-behind`. */
function isDebugField(pointer: string): boolean {
  return /^\/disclosedContracts\/\d+\/debug/.test(pointer);
}

function unknownMember(name: string, pointer: string, known: readonly string[]): Finding {
  const nearest = suggestion(name, known);
  const expected =
    nearest === undefined
      ? `a known member, for example ${known.slice(0, namesShown).join(", ")}`
      : `the known member \`${nearest}\``;
  return { expected, actual: `the unknown member \`${name}\``, pointer };
}
