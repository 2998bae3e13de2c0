import type { Exchange } from "../../foundation/http/exchange.ts";
import { headerValues } from "../../foundation/http/header.ts";
import { type Json, jsonOf } from "../../foundation/json/json.ts";
import { objectOf, textOf } from "../../foundation/json/members.ts";
import { withAdditionalOperations } from "../../foundation/spec/additional-operations.ts";
import { contracts } from "../../foundation/spec/contracts.ts";
import { type DescribedApi, isOfSpec, operationsOf, type SpecOperation } from "../../foundation/spec/operation.ts";
import { routeOf } from "../../foundation/spec/route-of.ts";
import { createRouter } from "../../foundation/spec/router.ts";

/** An exchange of a described operation, read once. */
export interface RecordedCall {
  readonly exchange: Exchange;
  /** The world of the stub that the request is for. */
  readonly world: string;
  readonly operation: SpecOperation<DescribedApi, string>;
  readonly path: Readonly<Record<string, string>>;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly requestText: string;
  /** The body's JSON; undefined if the body is not JSON. */
  readonly body: Json | undefined;
  /** 0 if there is no complete response. */
  readonly status: number;
  readonly responseText: string;
  readonly response: Json | undefined;
  /** The code of a ledger error, in JSON or as the beginning of a text. */
  readonly errorCode: string;
}

/** Requests to the control API that a scenario repeats. Others change the world: later responses show how. */
const playedControl: ReadonlySet<string> = new Set(["advanceClock", "getWorld"]);

type ReadCall = (exchange: Exchange) => RecordedCall | undefined;

/** Reads exchanges with operations of the spec and some of a stub's control API; undefined for other operations. */
export function createCallReader(): ReadCall {
  const described = [...operationsIn("ledger"), ...operationsIn("registry")];
  const route = createRouter(described);
  const repeated = operationsOf("control", contracts.control).filter(({ operationId }) =>
    playedControl.has(operationId),
  );
  const controls = repeated.map((operation) => ({
    operation,
    pattern: new RegExp(`^${operation.path.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`),
  }));
  return (exchange) => {
    const { method, target, headers } = exchange.request;
    const { path: wholePath, search } = splitTarget(target);
    const [prefix = "", prefixed] = /^\/w\/([^/]+)(?=\/)/.exec(wholePath) ?? [];
    const path = wholePath.slice(prefix.length);
    const world = prefixed ?? headerValues(headers, "understudy-world")[0] ?? "default";
    for (const { operation, pattern } of controls) {
      const match = method === operation.method ? pattern.exec(path) : null;
      if (match === null) continue;
      const named = match.groups?.["world"] ?? "default";
      // A scenario has one world: its steps call it default.
      const parameters = { ...match.groups, ...(match.groups?.["world"] === undefined ? {} : { world: "default" }) };
      return callOf(exchange, { world: named === "default" ? world : named, operation, path: parameters, search });
    }
    const found = routeOf({ route }, { method, target: path });
    if (found === undefined) return undefined;
    return callOf(exchange, { world, operation: found.operation, path: found.pathParameters, search });
  };
}

function operationsIn(api: "ledger" | "registry"): readonly SpecOperation[] {
  const description = withAdditionalOperations(api, contracts.descriptions[api]["spec"] ?? {}, {});
  return operationsOf(api, description).filter(isOfSpec);
}

function splitTarget(target: string): { readonly path: string; readonly search: string } {
  const relative = target.replace(/^https?:\/\/[^/?]*/i, "");
  const mark = relative.indexOf("?");
  return mark < 0
    ? { path: relative, search: "" }
    : { path: relative.slice(0, mark), search: relative.slice(mark + 1) };
}

interface RoutedRequest extends Pick<RecordedCall, "world" | "operation" | "path"> {
  readonly search: string;
}

function callOf(exchange: Exchange, { world, operation, path, search }: RoutedRequest): RecordedCall {
  const { request, response } = exchange;
  const requestText = request.body.text();
  const responseText = response.type === "response" ? response.body.text() : "";
  const json = jsonOf(responseText);
  const status = response.type === "response" ? response.status : 0;
  const errorCode =
    status < 400 ? "" : textOf(objectOf(json)["code"]) || (/^([A-Z][A-Z0-9_]+)(?::|\()/.exec(responseText)?.[1] ?? "");
  return {
    exchange,
    world,
    operation,
    path,
    query: [...new URLSearchParams(search)],
    requestText,
    body: jsonOf(requestText),
    status,
    responseText,
    response: json,
    errorCode,
  };
}

/** The same call with another exchange, such as the stub's. */
export function playedAs(call: RecordedCall, exchange: Exchange): RecordedCall {
  return callOf(exchange, { ...call, search: "" });
}

/** The cause of a failure as text. */
export function causeOf({ response, responseText }: RecordedCall): string {
  const error = objectOf(response);
  return textOf(error["cause"]) || textOf(error["error"]) || responseText;
}
