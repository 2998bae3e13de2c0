import type { Json, JsonObject } from "../../foundation/json/json.ts";
import { objectOf, objectsOf, textOf, textsOf, withoutUndefined } from "../../foundation/json/members.ts";
import type { RecordedCall } from "./recorded-call.ts";
import { SeenEntities } from "./seen-entities.ts";

/** Members of a configuration with their update mask paths. */
const attributes = [
  ["isDeactivated", "is_deactivated"],
  ["issuer", "issuer"],
  ["jwksUrl", "jwks_url"],
  ["audience", "audience"],
] as const;

/** The initial identity providers, as responses show them. */
export class SeenProviders {
  readonly #providers = new SeenEntities();

  note({ operation, path, body, status, response }: RecordedCall): void {
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
        this.#providers.of(id, operation.method === "DELETE").settle();
        return;
      case "patchV2IdpsIdp-id": {
        const mask = new Set(textsOf(objectOf(objectOf(body)["updateMask"])["paths"]));
        for (const [name, maskPath] of attributes) if (mask.has(maskPath)) this.#providers.of(id).change(name);
        this.#show(shown);
        return;
      }
      default:
    }
  }

  /** The rows of the fixture, with those that manage users or parties. */
  rows(managing: Iterable<string>): readonly JsonObject[] {
    for (const id of managing) this.#providers.of(id);
    return this.#providers.rows(rowOf);
  }

  #show(shown: JsonObject): void {
    const provider = this.#providers.of(textOf(shown["identityProviderId"]));
    for (const [name] of attributes) provider.show(name, shown[name]);
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
