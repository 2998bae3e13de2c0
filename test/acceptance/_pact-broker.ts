import { headerValues } from "../../src/foundation/http/header.ts";
import type { Request } from "../../src/foundation/http/request.ts";
import { type Response, textResponse } from "../../src/foundation/http/response.ts";
import { type RunningServer, startServer } from "../../src/transport/server/http-server.ts";
import { afterFile } from "../_after-file.ts";

/** A small fake of the API of a Pact Broker. */
export interface FakeBroker {
  readonly url: string;
  /** Requests with a body, as `METHOD path`, in order. */
  readonly received: readonly { readonly request: string; readonly body: unknown }[];
}

interface FakeOptions {
  /** Value of Authorization that the broker requires. */
  readonly authorization?: string;
  /** Base URL of the links. Default: the URL of the broker. */
  readonly linksTo?: string;
  /** Whether the Pact is pending for the branch of a request. Default: false. */
  readonly isPending?: boolean;
}

/** A Pact with one interaction that expects this status. */
export function pactWithStatus(status: number): object {
  const request = { method: "GET", path: "/v2/idps", headers: { Authorization: ["Bearer x"] } };
  const interaction = { type: "Synchronous/HTTP", description: "the providers", request, response: { status } };
  return {
    consumer: { name: "wallet" },
    provider: { name: "canton" },
    interactions: [interaction],
    metadata: { pactSpecification: { version: "4.0" } },
  };
}

/** Starts a broker with one Pact of the consumer `wallet` with the provider `canton`. */
export async function fakeBroker(pact: object, options: FakeOptions = {}): Promise<FakeBroker> {
  const received: { request: string; body: unknown }[] = [];
  let url = "";
  const server: RunningServer = await startServer({
    handler: async (request) => {
      const path = request.target;
      if (request.body.size > 0)
        received.push({ request: `${request.method} ${path}`, body: JSON.parse(request.body.text()) });
      return responseOf(request, pact, { ...options, base: options.linksTo ?? url });
    },
    host: "127.0.0.1",
    port: 0,
    isCorsAllowed: false,
    closeGraceMs: 0,
    onFault: () => undefined,
  });
  url = server.url;
  afterFile(() => server.close());
  return { url, received };
}

const pactPath = "/pacts/provider/canton/consumer/wallet/pact-version/1";

function responseOf(request: Request, pact: object, options: FakeOptions & { readonly base: string }): Response {
  const { authorization, base, isPending = false } = options;
  if (authorization !== undefined && headerValues(request.headers, "authorization")[0] !== authorization)
    return hal(401, {});
  const link = (path: string) => ({ href: `${base}${path}`, ...(path.includes("{") ? { templated: true } : {}) });
  const self = { ...link(pactPath), name: "Pact between wallet (1.0.0) and canton" };
  switch (`${request.method} ${request.target}`) {
    case "GET /":
      return hal(200, {
        _links: {
          "pb:provider-pacts-for-verification": link("/pacts/provider/{provider}/for-verification"),
        },
      });
    case "GET /pacts/provider/canton/for-verification":
    case "POST /pacts/provider/canton/for-verification":
      return hal(200, {
        _embedded: {
          pacts: [
            {
              shortDescription: "latest from main",
              verificationProperties: { pending: isPending, notices: [] },
              _links: { self },
            },
          ],
        },
        _links: { self: link("/pacts/provider/canton/for-verification") },
      });
    case `GET ${pactPath}`:
      return hal(200, {
        ...pact,
        _links: {
          self,
          "pb:provider": link("/pacticipants/canton"),
          "pb:publish-verification-results": link(`${pactPath}/verification-results`),
        },
      });
    case "GET /pacticipants/canton":
      return hal(200, {
        _links: { "pb:branch-version": link("/pacticipants/canton/branches/{branch}/versions/{version}") },
      });
    case "PUT /pacticipants/canton/branches/main/versions/canton-3.5":
      return hal(201, {});
    case `POST ${pactPath}/verification-results`:
      return hal(201, {});
    default:
      return hal(404, {});
  }
}

function hal(status: number, body: object): Response {
  return textResponse(status, "application/hal+json", JSON.stringify(body));
}
