import { headerValues, mediaType } from "../../foundation/http/header.ts";
import { isIdentifier } from "../../foundation/spec/identifiers.ts";
import type { SpecOperation } from "../../foundation/spec/operation.ts";
import type { FoundRoute } from "../../foundation/spec/router.ts";
import type { Spec } from "../../foundation/spec/spec.ts";
import { suggestion } from "../../foundation/text/suggestion.ts";
import type { ValuePath } from "../../scenarios/files/source-file.ts";
import { checkBody } from "./_check-body.ts";
import { typeOfBody } from "./_exchange-of.ts";
import { contentTypeOf } from "./_schema.ts";
import type { Interaction } from "./interaction.ts";
import type { PactFinding } from "./pact-finding.ts";

/**
 * Compares the request of an interaction with the spec. Conformance rules check its schema together with the response,
 * because the consumer can expect a refusal.
 */
export function checkRequest(interaction: Interaction, spec: Spec, route: FoundRoute): readonly PactFinding[] {
  const { operation } = route;
  const { request, response } = interaction;
  const found = [
    ...tokenFindings(interaction, operation),
    ...(response.status < 400 ? pathFindings(route) : []),
    ...queryFindings(interaction, operation),
    ...typeFindings(interaction, operation),
    ...refusalFindings(interaction, spec, operation),
  ];
  const { requestSchema: schemaPointer } = operation;
  const { body } = request;
  return [
    ...found.map(({ place, ...rest }) => ({
      outcome: "WARN" as const,
      pointer: "",
      section: operation.section,
      ...rest,
      at: "request" as const,
      path: [...request.path, ...place],
    })),
    ...(body?.type === "json" && schemaPointer !== undefined
      ? checkBody({ spec, operation, side: "request", schemaPointer, body, rules: [] })
      : []),
  ];
}

/** A finding outside the members of the body: a warning with the section of the operation, if it names no others. */
interface Found {
  readonly outcome?: "FAIL";
  readonly expected: string;
  readonly actual: string;
  readonly section?: string;
  readonly pointer?: string;
  /** Path from the request. */
  readonly place: ValuePath;
}

/** Checks the bearer token. A missing one is a warning: in many Pact files the verifier adds it. */
function tokenFindings({ request, response }: Interaction, operation: SpecOperation): readonly Found[] {
  if (operation.isPublic || operation.api !== "ledger" || response.status === 401) return [];
  const token = headerValues(request.headers, "authorization")[0];
  const missing = { expected: "a bearer token in the header Authorization", section: "5", place: ["headers"] };
  if (token === undefined) return [{ ...missing, actual: "no header Authorization" }];
  if (/^bearer +\S/i.test(token) || response.status >= 400) return [];
  // Another scheme. The value is a secret and is not shown.
  return [{ ...missing, outcome: "FAIL", actual: "an Authorization header that is not a bearer token" }];
}

function pathFindings({ operation, pathParameters }: FoundRoute): readonly Found[] {
  return operation.parameters.flatMap(({ name, in: where, schema }): readonly Found[] => {
    const syntax = schema["x-identifier"];
    const value = pathParameters[name];
    if (where !== "path" || typeof syntax !== "string" || value === undefined || isIdentifier(syntax, value)) return [];
    const expected = `${name} to be a valid ${syntax}`;
    return [{ outcome: "FAIL", expected, actual: JSON.stringify(value), place: ["path"] }];
  });
}

function queryFindings({ request }: Interaction, { parameters }: SpecOperation): readonly Found[] {
  const query = new URLSearchParams(request.target.split("?")[1] ?? "");
  const known = parameters.filter((parameter) => parameter.in === "query").map(({ name }) => name);
  const has = known.length === 0 ? "no query parameters" : `only the query parameters ${known.join(", ")}`;
  return [...new Set(query.keys())]
    .filter((name) => !known.includes(name))
    .map((name) => {
      const near = suggestion(name, known);
      const expected = `${has}${near === undefined ? "" : `. Did you mean ${JSON.stringify(near)}?`}`;
      return { expected, actual: `the query parameter ${JSON.stringify(name)}`, place: ["query", name] };
    });
}

/** Checks that the request has the body of its operation, with the media type. A refused one may lack both. */
function typeFindings({ request, response }: Interaction, { requestSchema }: SpecOperation): readonly Found[] {
  const { body } = request;
  if (requestSchema === undefined)
    return body === undefined ? [] : [{ expected: "no request body", actual: "a body", place: ["body"] }];
  if (response.status >= 400) return [];
  if (body === undefined) return [{ outcome: "FAIL", expected: "a request body", actual: "none", place: [] }];
  const expected = contentTypeOf(requestSchema);
  const type = mediaType(request.headers) ?? typeOfBody(body);
  if (type === expected) return [];
  const actual = type ?? "no Content-Type";
  return [{ outcome: "FAIL", expected: `Content-Type ${expected}`, actual, place: ["headers"] }];
}

/** Warns of another refusal than 400 for an invalid request body. */
function refusalFindings(
  { request: { body }, response: { status } }: Interaction,
  { validate }: Spec,
  { api, requestSchema }: SpecOperation,
): readonly Found[] {
  if (status <= 400 || requestSchema === undefined || body?.type !== "json") return [];
  const broken = validate[api](requestSchema, body.value)[0];
  if (broken === undefined) return [];
  const { pointer, message } = broken;
  const expected = `status 400, because ${pointer === "" ? "the request body" : pointer} ${message}`;
  return [{ expected, actual: `status ${status}`, pointer, place: ["body"] }];
}
