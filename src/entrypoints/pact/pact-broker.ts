import { Body, emptyBody } from "../../foundation/http/body.ts";
import type { Handler } from "../../foundation/http/handler.ts";
import type { HeaderList } from "../../foundation/http/header.ts";
import { formatJson, isJsonObject, type JsonObject, jsonOf } from "../../foundation/json/json.ts";
import { objectOf, objectsOf, optionalTextOf } from "../../foundation/json/members.ts";

/** A problem with a broker: a refusal, a missing link, a link to another host. */
export class BrokerProblem extends Error {}

/** A Pact from a broker. */
export interface BrokerPact {
  /** URL of the Pact. */
  readonly url: string;
  readonly text: string;
  readonly links: JsonObject;
  /** Whether no version of the provider's branch has satisfied it yet, so that a failure is no news for the provider. */
  readonly isPending: boolean;
}

/** Which Pacts a broker gives. */
export interface PactSelection {
  /** Consumer version selectors; empty: the latest Pact of each consumer. */
  readonly selectors: readonly JsonObject[];
  /** The branch of the provider, which decides what is pending. */
  readonly branch: string | undefined;
  readonly hasPending: boolean;
  /** The date from which on Pacts of feature branches are added that are pending. */
  readonly wipSince: string | undefined;
}

/** The result of a check of one Pact, as the broker keeps it. */
interface BrokerResult {
  readonly isSuccess: boolean;
  readonly providerVersion: string;
  readonly branch: string | undefined;
  readonly buildUrl: string | undefined;
  /** Name and version of the program that checked. */
  readonly verifiedBy: { readonly implementation: string; readonly version: string };
}

interface BrokerOptions {
  readonly baseUrl: string;
  /** Sends requests to the origin of `baseUrl`. */
  readonly send: Handler;
  /** Value of the header Authorization. */
  readonly authorization: string | undefined;
}

/** A Pact Broker over its HAL API. Credentials go to the broker's origin only. */
export class PactBroker {
  readonly #options: BrokerOptions;

  constructor(options: BrokerOptions) {
    this.#options = options;
  }

  /** The Pacts of a provider in a selection. */
  async pactsOf(provider: string, selection: PactSelection): Promise<readonly BrokerPact[]> {
    const index = linksOf(await this.#json("GET", this.#options.baseUrl));
    const pacts: BrokerPact[] = [];
    for (const [url, isPending] of await this.#selected(index, provider, selection)) {
      const text = await this.#text("GET", url);
      pacts.push({ url, text, links: linksOf(objectOf(jsonOf(text))), isPending });
    }
    return pacts;
  }

  /** The URLs of the Pacts, and whether each is pending. */
  async #selected(
    index: JsonObject,
    provider: string,
    { selectors, branch, hasPending, wipSince }: PactSelection,
  ): Promise<ReadonlyMap<string, boolean>> {
    const url = requiredHref(index, "pb:provider-pacts-for-verification", { provider });
    const found = await this.#json("POST", url, {
      consumerVersionSelectors: selectors,
      ...(hasPending ? { includePendingStatus: true } : {}),
      ...(wipSince === undefined ? {} : { includeWipPactsSince: wipSince }),
      ...(branch === undefined ? {} : { providerVersionBranch: branch }),
    });
    const pacts = objectsOf(objectOf(found["_embedded"])["pacts"]);
    return new Map(
      pacts.map((pact) => [
        requiredHref(linksOf(pact), "self"),
        objectOf(pact["verificationProperties"])["pending"] === true,
      ]),
    );
  }

  /** Publishes a result, and adds the provider's version to its branch first. */
  async publish({ links }: BrokerPact, result: BrokerResult): Promise<void> {
    const { isSuccess, providerVersion, branch, buildUrl, verifiedBy } = result;
    const url = requiredHref(links, "pb:publish-verification-results");
    if (branch !== undefined) await this.#addToBranch(links, branch, providerVersion);
    const build = buildUrl === undefined ? {} : { buildUrl };
    await this.#text("POST", url, {
      success: isSuccess,
      providerApplicationVersion: providerVersion,
      ...build,
      verifiedBy,
    });
  }

  async #addToBranch(links: JsonObject, branch: string, version: string): Promise<void> {
    const provider = linksOf(await this.#json("GET", requiredHref(links, "pb:provider")));
    await this.#text("PUT", requiredHref(provider, "pb:branch-version", { branch, version }), {});
  }

  async #json(method: string, url: string, body?: JsonObject): Promise<JsonObject> {
    const json = jsonOf(await this.#text(method, url, body));
    if (isJsonObject(json)) return json;
    throw new BrokerProblem(`The response of the broker to ${method} ${pathOf(url)} is not a JSON object.`);
  }

  async #text(method: string, url: string, body?: JsonObject): Promise<string> {
    const { baseUrl, send, authorization } = this.#options;
    const target = new URL(url, baseUrl);
    if (target.origin !== new URL(baseUrl).origin)
      throw new BrokerProblem(
        `The broker links to another origin, ${target.origin}. Use the URL that it knows itself by.`,
      );
    const headers: HeaderList = [
      ["Accept", "application/hal+json, application/json"],
      ...(authorization === undefined ? [] : [["Authorization", authorization] as const]),
      ...(body === undefined ? [] : [["Content-Type", "application/json"] as const]),
    ];
    const response = await send({
      method,
      target: `${target.pathname}${target.search}`,
      headers,
      body: body === undefined ? emptyBody : new Body(formatJson(body)),
    });
    if (response.type === "broken")
      throw new BrokerProblem(`The broker sent no whole response to ${method} ${pathOf(url)}.`);
    if (response.status >= 200 && response.status < 300) return response.body.text();
    throw new BrokerProblem(
      `The broker responded ${response.status} to ${method} ${pathOf(url)}.${adviceOn(response.status)}`,
    );
  }
}

function adviceOn(status: number): string {
  if (status === 401 || status === 403)
    return " Check the credentials: PACT_BROKER_TOKEN, or PACT_BROKER_USERNAME and PACT_BROKER_PASSWORD.";
  return status === 404 ? " Check the URL of the broker and the name of the provider." : "";
}

function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : url;
}

function linksOf(resource: JsonObject): JsonObject {
  return objectOf(resource["_links"]);
}

/** The address of a link with its parameters filled in. */
function requiredHref(links: JsonObject, name: string, parameters: Readonly<Record<string, string>> = {}): string {
  const href = optionalTextOf(objectOf(links[name])["href"]);
  if (href !== undefined)
    return href.replaceAll(/\{(\w+)\}/g, (_, parameter) => encodeURIComponent(parameters[parameter] ?? ""));
  throw new BrokerProblem(`A response of the broker has no link ${name}. Check that the URL is that of a Pact Broker.`);
}
