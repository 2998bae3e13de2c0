import { Body, bodyOfText, emptyBody } from "../../foundation/http/body.ts";
import type { Exchange } from "../../foundation/http/exchange.ts";
import { type HeaderList, headerValue } from "../../foundation/http/header.ts";
import { isJsonObject, type Json, type JsonObject, textOfJson } from "../../foundation/json/json.ts";
import { objectOf, objectsOf, textOf, textsOf } from "../../foundation/json/members.ts";
import { postmanAuth } from "./_postman-auth.ts";
import { enabled, filled, type PostmanScope, postmanUrl, scopeWithin } from "./_postman-url.ts";
import { formText } from "./har-request.ts";
import { withoutRequestBody } from "./recorded-exchange.ts";

/** Levels of nested folders in a collection. */
const foldersMax = 50;

/** Whether a file is a collection that Postman exported (format 2.0 or 2.1). */
export function isPostmanCollection(value: Json): value is JsonObject {
  const info = isJsonObject(value) ? value["info"] : undefined;
  return isJsonObject(info) && /^https:\/\/schema\.(?:get)?postman\.com\//.test(textOf(info["schema"]));
}

/**
 * The saved responses of a collection in order, each with its request. `onNotSaved` receives the number of requests without one.
 * Variables get the values of the collection and its folders; others stay as they are, except
 * in place of the host, where they are removed. There are no timestamps.
 */
export function postmanExchanges(
  collection: JsonObject,
  onNotSaved: (requests: number) => void = () => undefined,
): readonly Exchange[] {
  const scope = scopeWithin({ variables: new Map(), auth: undefined }, collection);
  const found = exchangesIn(collection["item"], scope, 0);
  const exchanges = found.filter((exchange) => exchange !== notSaved);
  if (exchanges.length < found.length) onNotSaved(found.length - exchanges.length);
  return exchanges;
}

function exchangesIn(
  items: Json | undefined,
  scope: PostmanScope,
  folders: number,
): readonly (Exchange | typeof notSaved)[] {
  if (folders > foldersMax) return [];
  return objectsOf(items).flatMap((item) => {
    const inner = scopeWithin(scope, item);
    const examples = objectsOf(item["response"]);
    const saved = examples.length > 0 || item["request"] === undefined ? examples : [{}];
    return [
      ...saved.map((example) => exchangeOf(example, item["request"], inner)),
      ...exchangesIn(item["item"], inner, folders + 1),
    ];
  });
}

/** Takes the place of a request without a saved response. */
const notSaved = "not saved";

function exchangeOf(example: JsonObject, ofItem: Json | undefined, scope: PostmanScope): Exchange | typeof notSaved {
  const status = Number(example["code"] ?? 0);
  if (!(status > 0)) return notSaved;
  const original = example["originalRequest"];
  const request = typeof original === "string" || isJsonObject(original) ? original : ofItem;
  const durationMs = Number(example["responseTime"] ?? 0);
  const received = responseOf(example, status, scope);
  return {
    startedAt: "",
    durationMs: durationMs >= 0 ? durationMs : 0,
    request: requestOf(request, scope),
    response: isBodyInFile(request) ? withoutRequestBody(received, bodyInFile) : received,
  };
}

const bodyInFile = "the body of the request is in a file of its own; save the request with its text";

function isBodyInFile(request: Json | undefined): boolean {
  const { mode, file } = objectOf(objectOf(request)["body"]);
  return mode === "file" && objectOf(file)["content"] === undefined;
}

function responseOf(example: JsonObject, status: number, scope: PostmanScope): Exchange["response"] {
  const [headers, text] = [headersOf(example["header"], scope), example["body"]];
  if (typeof text === "string" || status === 204 || status === 304)
    return { type: "response", status, headers, body: bodyOfText(textOf(text)) };
  const partial = { status, headers, body: emptyBody, bodyLength: 0 };
  return { type: "broken", kind: "unexplained", reason: "the example has no body; save the response again", partial };
}

/** A request is an object, or only a URL. */
function requestOf(given: Json | undefined, scope: PostmanScope): Exchange["request"] {
  const request = isJsonObject(given) ? given : { url: given ?? "" };
  const { text, mimeType } = bodyOf(objectOf(request["body"]), scope);
  const { headers: ofAuth, query } = postmanAuth(request["auth"] ?? scope.auth, scope);
  const sent = headersOf(request["header"], scope);
  const added = [["Content-Type", mimeType] as const, ...ofAuth];
  return {
    method: (filled(textOf(request["method"]), scope) || "GET").toUpperCase(),
    target: postmanUrl(request["url"], query, scope),
    headers: [...sent, ...added.filter(([name, value]) => value !== "" && headerValue(sent, name) === undefined)],
    body: text === "" ? emptyBody : new Body(text),
  };
}

const none = { text: "", mimeType: "" } as const;
const multipart = "multipart/form-data; boundary=postman";

function bodyOf(body: JsonObject, scope: PostmanScope): { readonly text: string; readonly mimeType: string } {
  const { mode = "raw", disabled, raw, urlencoded, formdata, graphql, file, options } = body;
  if (disabled === true) return none;
  const fields = (list: Json | undefined) =>
    enabled(list).map(({ key, value, src }) => ({
      name: filled(textOf(key), scope),
      value: filled(textOf(value), scope),
      ...(src === undefined ? {} : { fileName: textOfJson(src) }),
    }));
  switch (mode) {
    case "urlencoded": {
      const mimeType = "application/x-www-form-urlencoded";
      const text =
        typeof urlencoded === "string" ? filled(urlencoded, scope) : formText({ params: fields(urlencoded) }, []);
      return { text: text ?? "", mimeType };
    }
    case "formdata":
      return { text: formText({ params: fields(formdata), mimeType: multipart }, []) ?? "", mimeType: multipart };
    case "graphql": {
      const { query = "", variables, operationName } = objectOf(graphql);
      const rest = operationName === undefined ? {} : { operationName: textOf(operationName) };
      const text = JSON.stringify({ query, ...rest, variables: variablesOf(variables, scope) });
      return { text, mimeType: "application/json" };
    }
    case "file":
      return { text: textOf(objectOf(file)["content"]), mimeType: "" };
    default: {
      const language = textOf(objectOf(objectOf(options)["raw"])["language"]);
      const mimeType = { json: "application/json", xml: "application/xml", text: "text/plain" }[language] ?? "";
      return raw === undefined || raw === "" ? none : { text: filled(textOf(raw), scope), mimeType };
    }
  }
}

function variablesOf(variables: Json | undefined, scope: PostmanScope): Json {
  try {
    return typeof variables === "string" ? JSON.parse(filled(variables, scope) || "{}") : (variables ?? {});
  } catch {
    return {};
  }
}

/** Headers are lines of text, or a list of objects and of such lines. */
function headersOf(value: Json | undefined, scope: PostmanScope): HeaderList {
  const lines = typeof value === "string" ? value.split(/\r?\n/) : textsOf(value);
  const ofLines = lines.map((line) => {
    const [key = "", text = ""] = line.split(/:(.*)/s);
    return { key: key.trim(), value: text.trim() };
  });
  return [...ofLines, ...enabled(value)]
    .map(({ key, value: text }) => [filled(textOf(key), scope), filled(textOf(text), scope)] as const)
    .filter(([name]) => name !== "");
}
