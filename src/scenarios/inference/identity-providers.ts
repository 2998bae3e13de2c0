import type { JsonObject } from "../../foundation/json/json.ts";
import { objectOf, objectsOf, textOf, textsOf, withoutUndefined } from "../../foundation/json/members.ts";
import type { Call } from "./call.ts";

interface SeenProvider {
  existed: boolean;
  isSettled: boolean;
  readonly members: Map<string, JsonObject[string]>;
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

/** The initial identity providers, inferred from requests and responses. */
export class SeenProviders {
  readonly #providers = new Map<string, SeenProvider>();

  note({ operation, path, body, status, response, errorCode }: Call): void {
    const id = path["idp-id"] ?? "";
    const shown = objectOf(objectOf(response)["identityProviderConfig"]);
    const given = objectOf(objectOf(body)["identityProviderConfig"]);
    switch (operation.operationId) {
      case "getV2Idps":
        if (status !== 200) return;
        for (const entry of objectsOf(objectOf(response)["identityProviderConfigs"])) this.#show(entry);
        return;
      case "getV2IdpsIdp-id":
        if (status === 200) this.#show(shown);
        return;
      case "postV2Idps":
        if (status === 200) this.#settle(textOf(shown["identityProviderId"]), false);
        else if (errorCode.includes("ALREADY_EXISTS")) this.#provider(textOf(given["identityProviderId"]), true);
        return;
      case "deleteV2IdpsIdp-id":
        if (status === 200) this.#settle(id, true);
        return;
      case "patchV2IdpsIdp-id": {
        if (status !== 200) return;
        const mask = new Set(textsOf(objectOf(objectOf(body)["updateMask"])["paths"]));
        const provider = this.#provider(id, true);
        for (const [name, maskPath] of attributes) if (mask.has(maskPath)) provider?.changed.add(name);
        this.#show(shown);
        return;
      }
      default:
    }
  }

  /** The rows of the fixture. The providers that manage users or parties have to exist. */
  rows(managing: Iterable<string>): readonly JsonObject[] {
    for (const id of managing) this.#provider(id, true);
    const there = [...this.#providers].filter(([, { existed }]) => existed);
    return there.sort(([left], [right]) => (left < right ? -1 : 1)).map(([id, { members }]) => rowOf(id, members));
  }

  #provider(id: string, existed: boolean): SeenProvider | undefined {
    const known = this.#providers.get(id);
    if (known !== undefined || id === "" || this.#providers.size >= providersMax) return known;
    const provider: SeenProvider = { existed, isSettled: false, members: new Map(), changed: new Set() };
    this.#providers.set(id, provider);
    return provider;
  }

  #settle(id: string, existed: boolean): void {
    const provider = this.#provider(id, existed);
    if (provider !== undefined) provider.isSettled = true;
  }

  #show(shown: JsonObject): void {
    const provider = this.#provider(textOf(shown["identityProviderId"]), true);
    if (provider === undefined || provider.isSettled) return;
    for (const [name] of attributes) {
      const value = shown[name];
      if (value !== undefined && value !== null && !provider.changed.has(name) && !provider.members.has(name))
        provider.members.set(name, value);
    }
  }
}

function rowOf(id: string, members: ReadonlyMap<string, JsonObject[string]>): JsonObject {
  const audience = textOf(members.get("audience"));
  return withoutUndefined({
    id,
    issuer: textOf(members.get("issuer")) || `https://${id}.example.com`,
    jwksUrl: textOf(members.get("jwksUrl")) || `https://${id}.example.com/jwks`,
    audience: audience === "" ? undefined : audience,
    deactivated: members.get("isDeactivated") === true ? true : undefined,
  });
}
