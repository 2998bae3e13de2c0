import { headerValues, mediaType } from "../../foundation/http/header.ts";
import { isIdentifier } from "../../foundation/spec/identifiers.ts";
import type { SpecOperation } from "../../foundation/spec/operation.ts";
import type { FoundRoute } from "../../foundation/spec/router.ts";
import type { Spec } from "../../foundation/spec/spec.ts";
import { suggestion } from "../../foundation/text/suggestion.ts";
import { checkBody } from "./_check-body.ts";
import { typeOfBody } from "./_exchange-of.ts";
import { contentTypeOf, schemaAt } from "./_schema.ts";
import type { Interaction } from "./interaction.ts";
import type { PactFinding } from "./pact-finding.ts";

/**
 * Compares the request of an interaction with the spec. Conformance rules check its schema together with the response,
 * because the consumer can expect a refusal.
 */
export function checkRequest(interaction: Interaction, spec: Spec, route: FoundRoute): readonly PactFinding[] {
  const { operation } = route;
  const isRefused = interaction.response.status >= 400;
  return [
    ...tokenFindings(interaction, operation),
    ...pathFindings(interaction, route, isRefused),
    ...queryFindings(interaction, operation),
    ...requestBodyFindings(interaction, spec, operation, isRefused),
  ];
}

interface FindingParts {
  readonly outcome?: "FAIL" | "WARN";
  readonly expected: string;
  readonly actual: string;
  readonly section: string;
  readonly pointer?: string;
  readonly place: readonly (string | number)[];
}

function finding(
  { request }: Interaction,
  { outcome = "WARN", pointer = "", place, ...rest }: FindingParts,
): PactFinding {
  return {
    ...rest,
    outcome,
    at: "request",
    pointer,
    path: [...request.path, ...place],
  };
}

/** Checks the bearer token. A missing one is a warning: in many Pact files the verifier adds it. */
function tokenFindings(interaction: Interaction, operation: SpecOperation): readonly PactFinding[] {
  const { request, response } = interaction;
  if (operation.isPublic || operation.api !== "ledger" || response.status === 401) return [];
  const token = headerValues(request.headers, "authorization")[0];
  const expected = "a bearer token in the header Authorization";
  const section = "5";
  if (token === undefined)
    return [finding(interaction, { expected, actual: "no header Authorization", section, place: ["headers"] })];
  if (/^bearer +\S/i.test(token) || response.status >= 400) return [];
  // Another scheme. The value is a secret and is not shown.
  const actual = "an Authorization header that is not a bearer token";
  return [finding(interaction, { outcome: "FAIL", expected, actual, section, place: ["headers"] })];
}

function pathFindings(
  interaction: Interaction,
  { operation, pathParameters }: FoundRoute,
  isRefused: boolean,
): readonly PactFinding[] {
  if (isRefused) return [];
  return operation.parameters.flatMap(({ name, in: where, schema }) => {
    const syntax = schema["x-identifier"];
    const value = pathParameters[name];
    if (where !== "path" || typeof syntax !== "string" || value === undefined || isIdentifier(syntax, value)) return [];
    const expected = `${name} to be a valid ${syntax}`;
    const actual = JSON.stringify(value);
    return [finding(interaction, { outcome: "FAIL", expected, actual, section: operation.section, place: ["path"] })];
  });
}

function queryFindings(interaction: Interaction, operation: SpecOperation): readonly PactFinding[] {
  const { request } = interaction;
  const query = new URLSearchParams(request.target.split("?")[1] ?? "");
  const known = operation.parameters.filter((parameter) => parameter.in === "query").map(({ name }) => name);
  return [...new Set(query.keys())]
    .filter((name) => !known.includes(name))
    .map((name) => {
      const near = suggestion(name, known);
      const has = known.length === 0 ? "no query parameters" : `only the query parameters ${known.join(", ")}`;
      const expected = `${has}${near === undefined ? "" : `. Did you mean ${JSON.stringify(near)}?`}`;
      const actual = `the query parameter ${JSON.stringify(name)}`;
      return finding(interaction, { expected, actual, section: operation.section, place: ["query", name] });
    });
}

function requestBodyFindings(
  interaction: Interaction,
  spec: Spec,
  operation: SpecOperation,
  isRefused: boolean,
): readonly PactFinding[] {
  const { request, response } = interaction;
  const { section, requestSchema } = operation;
  const { body } = request;
  if (requestSchema === undefined) {
    if (body === undefined) return [];
    return [finding(interaction, { expected: "no request body", actual: "a body", section, place: ["body"] })];
  }
  if (body === undefined) {
    if (isRefused) return [];
    const expected = "a request body";
    return [finding(interaction, { outcome: "FAIL", expected, actual: "none", section, place: [] })];
  }
  const declared = contentTypeOf(requestSchema);
  const type = mediaType(request.headers) ?? typeOfBody(body);
  const typed =
    type === declared || isRefused
      ? []
      : [
          finding(interaction, {
            outcome: "FAIL",
            expected: `Content-Type ${declared}`,
            actual: type ?? "no Content-Type",
            section,
            place: ["headers"],
          }),
        ];
  if (body.type !== "json") return typed;
  const broken = spec.validate[operation.api](requestSchema, body.value)[0];
  const isRefusedOtherwise = isRefused && response.status !== 400 && broken !== undefined;
  const refused = isRefusedOtherwise
    ? [
        finding(interaction, {
          expected: `status 400, because ${broken.pointer === "" ? "the request body" : broken.pointer} ${broken.message}`,
          actual: `status ${response.status}`,
          section,
          pointer: broken.pointer,
          place: ["body"],
        }),
      ]
    : [];
  const schema = schemaAt(spec.descriptions[operation.api], requestSchema);
  const bodyFindings = checkBody(
    { description: spec.descriptions[operation.api], side: "request", isComplete: !operation.isAdditional },
    { value: body.value, schema, pointer: "", place: [], rules: [], rulePath: [], section, imposed: [] },
  );
  const path = body.path.slice(request.path.length);
  const members = bodyFindings.map((found) => finding(interaction, { ...found, place: [...path, ...found.place] }));
  return [...typed, ...refused, ...members];
}
