import { headerValues, mediaType } from "../../foundation/http/header.ts";
import { isIdentifier } from "../../foundation/spec/identifiers.ts";
import type { SpecOperation } from "../../foundation/spec/operation.ts";
import type { FoundRoute } from "../../foundation/spec/router.ts";
import type { Spec } from "../../foundation/spec/spec.ts";
import { suggestion } from "../../foundation/text/suggestion.ts";
import { checkBody } from "./_check-body.ts";
import { typeOfBody } from "./_exchange-of.ts";
import { contentTypeOf, schemaAt } from "./_schema.ts";
import type { PactFinding } from "./check-interaction.ts";
import type { Interaction } from "./interaction.ts";

/**
 * What of a request is not as the contract has it. What breaks its schema is for the checker's rules, which know that a
 * refusal may be what the consumer expects.
 */
export function checkRequest(interaction: Interaction, spec: Spec, route: FoundRoute): readonly PactFinding[] {
  const { operation } = route;
  const isRefused = interaction.response.status >= 400;
  return [
    ...tokenFindings(interaction, operation),
    ...pathFindings(interaction, route, isRefused),
    ...queryFindings(interaction, operation),
    ...bodyFindings(interaction, spec, operation, isRefused),
  ];
}

interface Found {
  readonly outcome?: "FAIL" | "WARN";
  readonly contract: string;
  readonly pact: string;
  readonly section: string;
  readonly pointer?: string;
  readonly place: readonly (string | number)[];
}

function finding({ request }: Interaction, { outcome = "WARN", pointer = "", place, ...rest }: Found): PactFinding {
  return {
    ...rest,
    outcome,
    at: "request",
    pointer,
    rule: undefined,
    divergence: undefined,
    path: [...request.path, ...place],
  };
}

/** Pact files often leave the token to the verifier. */
function tokenFindings(interaction: Interaction, operation: SpecOperation): readonly PactFinding[] {
  const { request, response } = interaction;
  if (operation.isPublic || operation.api !== "ledger" || response.status === 401) return [];
  const token = headerValues(request.headers, "authorization")[0];
  const contract = "every ledger operation needs a bearer token in the header Authorization";
  const section = "5";
  if (token === undefined)
    return [finding(interaction, { contract, pact: "no Authorization", section, place: ["headers"] })];
  if (/^bearer +\S/i.test(token) || response.status >= 400) return [];
  // Another scheme, or none; the value itself is a secret.
  const pact = "an Authorization that is no bearer token";
  return [finding(interaction, { outcome: "FAIL", contract, pact, section, place: ["headers"] })];
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
    const contract = `${name} is a ${syntax}`;
    const pact = JSON.stringify(value);
    return [finding(interaction, { outcome: "FAIL", contract, pact, section: operation.section, place: ["path"] })];
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
      const has = known.length === 0 ? "no query parameters" : `the query parameters ${known.join(", ")}`;
      const contract = `the operation has ${has}${near === undefined ? "" : `. Did you mean ${JSON.stringify(near)}?`}`;
      const pact = `the query parameter ${JSON.stringify(name)}`;
      return finding(interaction, { contract, pact, section: operation.section, place: ["query", name] });
    });
}

function bodyFindings(
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
    return [finding(interaction, { contract: "the request has no body", pact: "a body", section, place: ["body"] })];
  }
  if (body === undefined) {
    if (isRefused) return [];
    const contract = "the request has a body";
    return [finding(interaction, { outcome: "FAIL", contract, pact: "none", section, place: [] })];
  }
  const declared = contentTypeOf(requestSchema);
  const type = mediaType(request.headers) ?? typeOfBody(body);
  const typed =
    type === declared || isRefused
      ? []
      : [
          finding(interaction, {
            outcome: "FAIL",
            contract: `the request is ${declared}`,
            pact: type ?? "no Content-Type",
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
          contract: `the request breaks its schema (${broken.pointer === "" ? "the body" : broken.pointer} ${broken.message}), which gets 400`,
          pact: String(response.status),
          section,
          pointer: broken.pointer,
          place: ["body"],
        }),
      ]
    : [];
  const schema = schemaAt(spec.descriptions[operation.api], requestSchema);
  const walked = checkBody(
    { description: spec.descriptions[operation.api], side: "request", isWhole: !operation.isAdditional },
    { value: body.value, schema, pointer: "", place: [], rules: [], rulePath: [], section, imposed: [] },
  );
  const path = body.path.slice(request.path.length);
  const members = walked.map((found) => finding(interaction, { ...found, place: [...path, ...found.place] }));
  return [...typed, ...refused, ...members];
}
