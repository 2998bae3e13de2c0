import type { Exchange } from "../../../foundation/http/exchange.ts";
import { type HeaderList, mediaType } from "../../../foundation/http/header.ts";
import type { Message } from "../../../foundation/http/message.ts";
import type { JsonObject } from "../../../foundation/json/json.ts";
import type { FoundRoute } from "../../../foundation/spec/router.ts";

/** The optional package that validates exchanges is not installed. */
export class PrismMissing extends Error {}

/** What Prism reports for one half of an exchange. */
export interface DescriptionFinding {
  readonly half: "request" | "response";
  /** Place without member names, and keyword: `response.body type`. */
  readonly kind: string;
  readonly message: string;
}

/** Validates an exchange of a described operation. A broken response has no findings. */
export type DescriptionValidator = (exchange: Exchange, route: FoundRoute) => readonly DescriptionFinding[];

/**
 * Validates exchanges against OpenAPI descriptions with Prism's library, which only this function loads. Rejects with
 * PrismMissing if it is not installed.
 */
export async function validatorFromDescriptions(descriptions: readonly JsonObject[]): Promise<DescriptionValidator> {
  const { getHttpOperationsFromSpec, validateInput, validateOutput, validateSecurity } = await loadPrism();
  // Prism replaces references in the descriptions themselves. They share schemas, so they are copied together.
  const copies = structuredClone(descriptions);
  const lists = await Promise.all(copies.map((description) => getHttpOperationsFromSpec({ ...description })));
  const byId = new Map(lists.flat().map((operation) => [operation.iid, operation]));
  return (exchange, { operation, pathParameters }) => {
    const resource = byId.get(operation.operationId);
    if (resource === undefined) return [];
    const { request, response } = exchange;
    const method = methods.find((known) => known === request.method.toLowerCase()) ?? "get";
    const path = operation.path.replaceAll(/\{([^}]+)\}/g, (_, name) => encodeURIComponent(pathParameters[name] ?? ""));
    const query = Object.fromEntries(new URLSearchParams(request.target.split("?")[1] ?? ""));
    const sent = { method, url: { path, query }, ...read(request) };
    const ofRequest = [validateInput, validateSecurity].flatMap((validate) =>
      findingsOf("request", () => validate({ resource, element: sent })),
    );
    if (response.type === "broken") return ofRequest;
    const received = { statusCode: response.status, ...read(response) };
    return [...ofRequest, ...findingsOf("response", () => validateOutput({ resource, element: received }))];
  };
}

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"] as const;

async function loadPrism() {
  try {
    const [http, validator] = await Promise.all([
      import("@stoplight/prism-http"),
      import("@stoplight/prism-http/dist/validator/index.js"),
    ]);
    const { validateInput, validateOutput, validateSecurity } = validator;
    return {
      getHttpOperationsFromSpec: http.getHttpOperationsFromSpec,
      validateInput,
      validateOutput,
      validateSecurity,
    };
  } catch (error) {
    throw new PrismMissing("@stoplight/prism-http is not installed", { cause: error });
  }
}

/** Headers and body of a message as Prism's proxy reads them. A body that is not JSON stays a text. */
function read({ headers, body }: Message): { readonly headers: Record<string, string>; readonly body?: unknown } {
  if (body.size === 0) return { headers: namesLowered(headers) };
  const text = body.text();
  return { headers: namesLowered(headers), body: mediaType(headers) === "application/json" ? parsed(text) : text };
}

function namesLowered(headers: HeaderList): Record<string, string> {
  return Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

interface Diagnostic {
  readonly path?: readonly string[] | undefined;
  readonly code?: string | number | undefined;
  readonly message: string;
}

type Validated = { readonly _tag: "Right" } | { readonly _tag: "Left"; readonly left: readonly Diagnostic[] };

function findingsOf(half: DescriptionFinding["half"], validate: () => Validated): readonly DescriptionFinding[] {
  const validated = validatedBy(validate);
  if (validated._tag === "Right") return [];
  return validated.left.map(({ path = [], code = "unmatched", message }) => ({
    half,
    kind: `${[half, ...path.slice(0, 1)].join(".")} ${code}`,
    message,
  }));
}

/** Prism throws for some messages, such as a media type that it cannot parse. */
function validatedBy(validate: () => Validated): Validated {
  try {
    return validate();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { _tag: "Left", left: [{ code: "unreadable", message }] };
  }
}
