import type { Request } from "../../foundation/http/request.ts";
import { type Response, textResponse, withHeaders } from "../../foundation/http/response.ts";
import { formatJson, type JsonObject, jsonOf, parseJson } from "../../foundation/json/json.ts";

/** Generates a response from a description; undefined if the description does not contain the path. */
export type DescriptionResponses = (request: Request) => Promise<Response | undefined>;

/** The optional package that generates responses is not installed. */
export class PrismMissing extends Error {}

/** Header that marks generated responses, which have no world. */
const respondedBy = "Understudy-Responded-By";

/**
 * Generates responses from an OpenAPI description with Prism's library, which only this function loads. Each response
 * carries `name` in a header. Rejects with PrismMissing, or with the library's error for an unreadable description.
 */
export async function responsesFromDescription(description: JsonObject, name: string): Promise<DescriptionResponses> {
  const { getHttpOperationsFromSpec, createClientFromOperations, createLogger } = await loadPrism();
  const operations = await getHttpOperationsFromSpec(structuredClone(description));
  const client = createClientFromOperations(operations, {
    mock: { dynamic: false },
    checkSecurity: false,
    validateRequest: true,
    validateResponse: false,
    errors: false,
    isProxy: false,
    upstreamProxy: undefined,
    logger: createLogger("prism", { level: "silent" }),
  });
  return async (request) => {
    try {
      const method = methods.find((known) => known === request.method.toLowerCase());
      if (method === undefined) return undefined;
      const body = request.body.storedLength === 0 ? {} : { body: jsonOf(request.body.text()) };
      const headers = Object.fromEntries(request.headers.map(([header, value]) => [header.toLowerCase(), value]));
      const received = await client.request(request.target, { method, headers, ...body });
      return response(received.status, received.headers ?? {}, received.data, name);
    } catch (error) {
      return refusal(error, name);
    }
  };
}

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"] as const;

async function loadPrism() {
  try {
    const [http, client, core] = await Promise.all([
      import("@stoplight/prism-http"),
      import("@stoplight/prism-http/dist/client.js"),
      import("@stoplight/prism-core"),
    ]);
    const { getHttpOperationsFromSpec } = http;
    return {
      getHttpOperationsFromSpec,
      createClientFromOperations: client.createClientFromOperations,
      createLogger: core.createLogger,
    };
  } catch (error) {
    throw new PrismMissing("@stoplight/prism-http is not installed", { cause: error });
  }
}

function response(status: number, headers: Readonly<Record<string, string>>, data: unknown, name: string): Response {
  const mediaType = Object.entries(headers).find(([header]) => header.toLowerCase() === "content-type")?.[1];
  const text = typeof data === "string" ? data : data === undefined ? "" : formatJson(parseJson(JSON.stringify(data)));
  return withHeaders(textResponse(status, mediaType, text), [[respondedBy, `Prism, from ${name}`]]);
}

/** Converts an error that Prism throws into a response; undefined for a path or method that is not described. */
function refusal(error: unknown, name: string): Response | undefined {
  const status = typeof error === "object" && error !== null && "status" in error ? Number(error.status) : 500;
  const kind = error instanceof Error ? error.name : "";
  if (/NO_(?:PATH|METHOD|BASE_URL|SERVER)\w*_MATCHED|NO_RESOURCE/.test(kind)) return undefined;
  const message = error instanceof Error ? error.message : String(error);
  return response(status, { "content-type": "text/plain; charset=UTF-8" }, message, name);
}
