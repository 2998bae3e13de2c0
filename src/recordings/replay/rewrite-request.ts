import { Body } from "../../foundation/http/body.ts";
import type { Request } from "../../foundation/http/request.ts";
import { jsonOf } from "../../foundation/json/json.ts";
import { type Part, partsOf } from "../../foundation/spec/name-parts.ts";
import { routeOf, type TargetRoute } from "../../foundation/spec/route-of.ts";
import type { Spec } from "../../foundation/spec/spec.ts";
import { percentDecoded } from "../../foundation/text/percent-decoded.ts";
import type { NameKinds } from "./name-kinds.ts";
import { pathAndQuery, pathOf, queryOf } from "./request-shape.ts";
import { rewriteJson } from "./rewrite-json.ts";

/** What the rewriting of a request reads, and a callback for its names. */
interface RequestRewriting {
  readonly spec: Spec;
  readonly kinds: NameKinds;
  name(part: Part): string;
}

/** Rewrites the names in the path, query and body of a request; everything else stays unchanged. */
export function rewriteRequest(request: Request, rewriting: RequestRewriting): Request {
  const { method, headers } = request;
  const target = pathAndQuery(request.target);
  const route = routeOf(rewriting.spec, { method, target });
  const [path, query] = [rewrittenPath(target, route, rewriting), rewrittenQuery(target, route, rewriting)];
  const body = rewrittenBody(request, route, rewriting);
  return { method, target: query === "" ? path : `${path}?${query}`, headers, body };
}

function rewrittenPath(target: string, route: TargetRoute | undefined, { kinds, name }: RequestRewriting): string {
  const template = route?.operation.path.split("/") ?? [];
  const path = pathOf(target).split("/");
  const segments = path.map((segment, place) => {
    const text = percentDecoded(segment);
    // The base URL may have a path prefix, so segments are aligned from the end.
    const parameter = /^\{(.+)\}$/.exec(template[place - path.length + template.length] ?? "")?.[1];
    const isFixed = route !== undefined && parameter === undefined;
    if (isFixed) return segment;
    const parts = route === undefined ? partsOf(text) : kinds.ofParameter(route.operation, parameter ?? "")(text);
    const becomes = parts.map(name).join("");
    return becomes === text ? segment : encodeURIComponent(becomes);
  });
  return segments.join("/");
}

function rewrittenQuery(target: string, route: TargetRoute | undefined, { kinds, name }: RequestRewriting): string {
  const raw = queryOf(target);
  const becomes = new URLSearchParams();
  let isSame = true;
  for (const [parameter, value] of new URLSearchParams(raw)) {
    const parts = route === undefined ? partsOf(value) : kinds.ofParameter(route.operation, parameter)(value);
    const renamed = parts.map(name).join("");
    becomes.append(parameter, renamed);
    if (renamed !== value) isSame = false;
  }
  return isSame ? raw : becomes.toString();
}

function rewrittenBody(request: Request, route: TargetRoute | undefined, { kinds, name }: RequestRewriting): Body {
  const text = request.body.text();
  if (text === "" || jsonOf(text) === undefined) return request.body;
  const read = kinds.ofRequest(route?.operation);
  const becomes = rewriteJson(text, {
    text: (value, path) => read(value, path).map(name).join(""),
    member: (member) => partsOf(member).map(name).join(""),
  });
  return becomes === text ? request.body : new Body(becomes);
}
