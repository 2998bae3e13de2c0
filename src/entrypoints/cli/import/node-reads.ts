import { Body } from "../../../foundation/http/body.ts";
import type { Exchange } from "../../../foundation/http/exchange.ts";
import type { Handler } from "../../../foundation/http/handler.ts";
import { formatJson, type Json, type JsonObject, jsonOf } from "../../../foundation/json/json.ts";
import { objectOf, textOf } from "../../../foundation/json/members.ts";
import type { Api } from "../../../foundation/spec/contracts.ts";

/** A request that only reads. A GET may have a body, as an old one of a node has. */
export interface Read {
  readonly api: Api;
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: JsonObject;
}

/** The APIs that are read, and the token for the ledger. A registry is public, so it gets no token. */
export interface ReadSources {
  readonly send: Readonly<Record<Api, Handler | undefined>>;
  readonly token: string | undefined;
  readonly progress: (text: string) => void;
}

/** Users or parties of a page; a node takes a larger size for its own maximum. */
const pageSizeMax = 1000;
/** Contracts of a page. */
const contractsPerPage = 200;
const pagesMax = 10_000;

/** Statuses of a path that a release does not have, or has switched off. */
const absent: ReadonlySet<number> = new Set([400, 404, 405, 501]);

/** Reads of a node and its registry. Keeps successful exchanges, and names the others. */
export class NodeReads {
  readonly exchanges: Exchange[] = [];
  /** Reads without a response of status 200: a line for each. */
  readonly omitted: string[] = [];
  readonly #sources: ReadSources;

  constructor(sources: ReadSources) {
    this.#sources = sources;
  }

  /** The JSON of the first read that succeeds; a later one is sent if the node does not have the path. Undefined if none succeeds. */
  async first(...reads: readonly Read[]): Promise<Json | undefined> {
    for (const [index, read] of reads.entries()) {
      const exchange = await this.send(read);
      const { response } = exchange;
      if (response.type === "response" && response.status === 200) {
        this.exchanges.push(exchange);
        return jsonOf(response.body.text());
      }
      const isAbsent = response.type === "response" && absent.has(response.status);
      if (isAbsent && index < reads.length - 1) continue;
      this.omitted.push(outcomeOf(read, exchange));
      return undefined;
    }
    return undefined;
  }

  /** All pages of a list, which the first read that succeeds begins. */
  async pages(...reads: readonly Read[]): Promise<readonly JsonObject[]> {
    const pages: JsonObject[] = [];
    let token = "";
    for (let page = 0; page < pagesMax; page += 1) {
      const json = await this.first(...reads.map((read) => pageOf(read, token)));
      if (json === undefined) break;
      pages.push(objectOf(json));
      const next = textOf(objectOf(json)["nextPageToken"]);
      if (next === "" || next === token) break;
      token = next;
    }
    return pages;
  }

  /** Sends a read, and keeps nothing of it. */
  async send({ api, method, path, body }: Read): Promise<Exchange> {
    const { send, token, progress } = this.#sources;
    const handler = send[api];
    if (handler === undefined) throw new Error(`invariant: the ${api} is read only where its address is given`);
    progress(`reading the ${api}: ${method} ${path}`);
    const request = {
      method,
      target: path,
      headers: [
        ...(api === "ledger" && token !== undefined ? [["Authorization", `Bearer ${token}`] as const] : []),
        ...(body === undefined ? [] : [["Content-Type", "application/json"] as const]),
      ],
      body: new Body(body === undefined ? "" : formatJson(body)),
    };
    const startedAt = new Date().toISOString();
    return { startedAt, durationMs: 0, request, response: await handler(request) };
  }
}

/** A page as the query or the body of the request names it. */
function pageOf(read: Read, token: string): Read {
  if (read.body !== undefined)
    return { ...read, body: { ...read.body, ...(token === "" ? {} : { pageToken: token }) } };
  const size = read.api === "ledger" ? { pageSize: String(pageSizeMax) } : {};
  const query = new URLSearchParams({ ...size, ...(token === "" ? {} : { pageToken: token }) }).toString();
  return { ...read, path: query === "" ? read.path : `${read.path}?${query}` };
}

function outcomeOf({ method, path }: Read, { response }: Exchange): string {
  const requested = `${method} ${path.replace(/\?.*$/s, "")}`;
  if (response.type === "broken") return `${requested}: no response (${response.reason ?? response.kind})`;
  const code = textOf(objectOf(jsonOf(response.body.text()))["code"]);
  return `${requested}: ${response.status}${code === "" ? "" : ` ${code}`}`;
}

const everything: JsonObject = {
  cumulative: [{ identifierFilter: { WildcardFilter: { value: { includeCreatedEventBlob: true } } } }],
};

/** The active contracts of all parties, or of these, at an offset: in pages, or at once in a release without pages. */
export function activeContracts(
  parties: readonly string[] | undefined,
  offset: Json,
): readonly [page: Read, list: Read] {
  const filters: JsonObject =
    parties === undefined
      ? { filtersForAnyParty: everything }
      : { filtersByParty: Object.fromEntries(parties.map((party) => [party, everything])) };
  const body = { eventFormat: { filtersByParty: {}, ...filters, verbose: true }, activeAtOffset: offset };
  const read = { api: "ledger", method: "POST", body } as const;
  return [
    { ...read, path: "/v2/state/active-contracts-page", body: { ...body, maxPageSize: contractsPerPage } },
    { ...read, path: "/v2/state/active-contracts" },
  ];
}

/** The lookups of a transfer of the second generation, and of the first. */
export function transferLookups(
  { sender, receiver, instrumentId }: Readonly<Record<"sender" | "receiver", string> & { instrumentId: JsonObject }>,
  nowMs: number,
): readonly Read[] {
  const meta = { values: {} };
  const more = {
    amount: "1.0",
    instrumentId,
    requestedAt: new Date(nowMs).toISOString(),
    executeBefore: new Date(nowMs + 86_400_000).toISOString(),
    inputHoldingCids: [],
    meta,
  };
  const extraArgs = { context: { values: {} }, meta };
  const account = (owner: string) => ({ owner, provider: null, id: "" });
  const lookup = (generation: string, choiceArguments: JsonObject): Read => ({
    api: "registry",
    method: "POST",
    path: `/registry/transfer-instruction/${generation}/transfer-factory`,
    body: { choiceArguments, excludeDebugFields: false },
  });
  const second = { sender: account(sender), receiver: account(receiver), ...more };
  return [
    lookup("v2", { transfer: second, actors: [sender], extraArgs }),
    lookup("v1", { expectedAdmin: instrumentId["admin"] ?? "", transfer: { sender, receiver, ...more }, extraArgs }),
  ];
}
