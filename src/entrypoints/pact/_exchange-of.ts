import { Body } from "../../foundation/http/body.ts";
import type { Exchange } from "../../foundation/http/exchange.ts";
import { type HeaderList, mediaType } from "../../foundation/http/header.ts";
import { formatJson } from "../../foundation/json/json.ts";
import type { Interaction, PactBody } from "./interaction.ts";

/** Builds an exchange from the examples of an interaction, with the given status and media type of the response. */
export function exchangeOf(interaction: Interaction, status: number, responseType: string | undefined): Exchange {
  const { request, response } = interaction;
  return {
    startedAt: "",
    durationMs: -1,
    request: {
      method: request.method,
      target: request.target,
      headers: withType(request.headers, request.body),
      body: new Body(bodyText(request.body)),
    },
    response: {
      type: "response",
      status,
      headers: responseType === undefined ? [] : [["Content-Type", responseType]],
      body: new Body(bodyText(response.body)),
    },
  };
}

/** Adds the media type of the body if the headers have none, as Pact does. */
function withType(headers: HeaderList, body: PactBody | undefined): HeaderList {
  const type = mediaType(headers) ?? typeOfBody(body);
  return type === undefined || mediaType(headers) !== undefined ? headers : [...headers, ["Content-Type", type]];
}

/** Media type of a body without a Content-Type header. */
export function typeOfBody(body: PactBody | undefined): string | undefined {
  if (body === undefined) return undefined;
  return (
    body.contentType ?? (body.type === "json" ? "application/json" : body.type === "text" ? "text/plain" : undefined)
  );
}

function bodyText(body: PactBody | undefined): string {
  if (body === undefined || body.type === "bytes") return "";
  return body.type === "json" ? formatJson(body.value) : body.text;
}
