import type { Json, JsonObject } from "../../foundation/json/json.ts";
import { objectOf, objectsOf, textOf, textsOf, withoutUndefined } from "../../foundation/json/members.ts";
import type { Call } from "./call.ts";

interface SeenProvider {
  readonly existed: boolean;
  isSettled: boolean;
  readonly members: Map<string, Json>;
  readonly changed: Set<string>;
}

const providersMax = 1000;

/** Members of a configuration with their update mask paths. */
const attributes = [
  ["isDeactivated", "is_deactivated"],
  ["issuer", "issuer"],
  ["jwksUrl", "jwks_url"],
  ["audience", "audience"],
] as const;

/** The initial identity providers, as responses show them. */
export class SeenProviders {
  readonly #providers = new Map<string, SeenProvider>();

  note({ operation, path, body, status, response }: Call): void {
    if (status !== 200) return;
    const shown = objectOf(objectOf(response)["identityProviderConfig"]);
    const id = path["idp-id"] ?? textOf(shown["identityProviderId"]);
    switch (operation.operationId) {
      case "getV2Idps":
        for (const entry of objectsOf(objectOf(response)["identityProviderConfigs"])) this.#show(entry);
        return;
      case "getV2IdpsIdp-id":
        this.#show(shown);
        return;
      case "postV2Idps":
      case "deleteV2IdpsIdp-id":
        this.#provider(id, operation.method === "DELETE").isSettled = true;
        return;
      case "patchV2IdpsIdp-id": {
        const mask = new Set(textsOf(objectOf(objectOf(body)["updateMask"])["paths"]));
        for (const [name, maskPath] of attributes) if (mask.has(maskPath)) this.#provider(id, true).changed.add(name);
        this.#show(shown);
        return;
      }
      default:
    }
  }

  /** The rows of the fixture, with those that manage users or parties. */
  rows(managing: Iterable<string>): readonly JsonObject[] {
    for (const id of managing) this.#provider(id, true);
    const there = [...this.#providers].filter(([id, { existed }]) => existed && id !== "");
    return there.sort(([left], [right]) => (left < right ? -1 : 1)).map(([id, { members }]) => rowOf(id, members));
  }

  #provider(id: string, existed: boolean): SeenProvider {
    const known = this.#providers.get(id);
    if (known !== undefined) return known;
    const provider: SeenProvider = { existed, isSettled: false, members: new Map(), changed: new Set() };
    if (this.#providers.size < providersMax) this.#providers.set(id, provider);
    return provider;
  }

  #show(shown: JsonObject): void {
    const { isSettled, changed, members } = this.#provider(textOf(shown["identityProviderId"]), true);
    if (isSettled) return;
    for (const [name] of attributes) {
      const value = shown[name];
      if (value !== undefined && value !== null && !changed.has(name) && !members.has(name)) members.set(name, value);
    }
  }
}

function rowOf(id: string, members: ReadonlyMap<string, Json>): JsonObject {
  return withoutUndefined({
    id,
    issuer: textOf(members.get("issuer")) || `https://${id}.example.com`,
    jwksUrl: textOf(members.get("jwksUrl")) || `https://${id}.example.com/jwks`,
    audience: textOf(members.get("audience")) || undefined,
    deactivated: members.get("isDeactivated") === true ? true : undefined,
  });
}
