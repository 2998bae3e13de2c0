import type { HeaderList } from "../../foundation/http/header.ts";
import { isJsonObject, type Json, type JsonObject } from "../../foundation/json/json.ts";
import { objectOf, objectsOf, textOf } from "../../foundation/json/members.ts";
import { filled, type PostmanScope } from "./_postman-url.ts";

interface Authorization {
  readonly headers: HeaderList;
  /** Parameters of the query. */
  readonly query: readonly JsonObject[];
}

/** What the authorization of a request adds to it. Parameters are a list (format 2.1) or an object (2.0). */
export function postmanAuth(auth: Json | undefined, scope: PostmanScope): Authorization {
  const given = objectOf(auth);
  const type = textOf(given["type"]);
  const parameters = given[type];
  const of = (name: string) => {
    const value = isJsonObject(parameters)
      ? parameters[name]
      : objectsOf(parameters).find(({ key }) => key === name)?.["value"];
    return filled(textOf(value), scope);
  };
  switch (type) {
    case "bearer":
      return header(`Bearer ${of("token")}`);
    case "basic":
      return header(`Basic ${Buffer.from(`${of("username")}:${of("password")}`).toString("base64")}`);
    case "oauth2": {
      const [token, prefix] = [of("accessToken"), of("headerPrefix").trim() || "Bearer"];
      if (token === "") return nothing;
      return of("addTokenTo") === "queryParams"
        ? { headers: [], query: [{ key: "access_token", value: token }] }
        : header(`${prefix} ${token}`);
    }
    case "apikey": {
      const [key, value] = [of("key"), of("value")];
      return of("in") === "query" ? { headers: [], query: [{ key, value }] } : { headers: [[key, value]], query: [] };
    }
    default:
      return nothing;
  }
}

const nothing: Authorization = { headers: [], query: [] };

function header(value: string): Authorization {
  return { headers: [["Authorization", value]], query: [] };
}
