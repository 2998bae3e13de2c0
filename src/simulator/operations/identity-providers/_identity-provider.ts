import type { Json, JsonObject } from "../../../foundation/json/json.ts";
import { objectOf, textOf } from "../../../foundation/json/members.ts";
import { isIdentifier } from "../../../foundation/spec/identifiers.ts";
import type { IdentityProvider } from "../../ledger/ledger-state.ts";
import { invalidField, missingField, nodeError, type Refusal } from "../refusal.ts";

/** A configuration as JSON, defaults included (Canton 3.5, JsonV2Tests). */
export function providerJson(provider: IdentityProvider): JsonObject {
  return {
    identityProviderId: provider.id,
    isDeactivated: provider.isDeactivated,
    issuer: provider.issuer,
    jwksUrl: provider.jwksUrl,
    audience: provider.audience,
  };
}

/** The configuration in a request. */
export function providerFrom(json: Json | undefined): IdentityProvider {
  const given = objectOf(json);
  return {
    id: textOf(given["identityProviderId"]),
    isDeactivated: given["isDeactivated"] === true,
    issuer: textOf(given["issuer"]),
    jwksUrl: textOf(given["jwksUrl"]),
    audience: textOf(given["audience"]),
  };
}

export function providerNotFound(id: string): Refusal {
  return nodeError("IDP_CONFIG_NOT_FOUND", `identity provider config '${id}' was not found`, {
    resources: [["IDENTITY_PROVIDER_CONFIG", id]],
  });
}

/** Refuses an issuer of another configuration. */
export function checkIssuer({ id, issuer }: IdentityProvider, others: Iterable<IdentityProvider>): Refusal | undefined {
  if (![...others].some((other) => other.id !== id && other.issuer === issuer)) return undefined;
  return nodeError(
    "IDP_CONFIG_ISSUER_ALREADY_EXISTS",
    `identity provider config with issuer '${issuer}' already exists`,
    { resources: [["IDENTITY_PROVIDER_CONFIG", issuer]] },
  );
}

/** Checks the members that every configuration must have, new or changed. */
export function checkShape({ id, issuer, jwksUrl }: IdentityProvider): Refusal | undefined {
  if (id === "") return missingField("identity_provider_config.identity_provider_id");
  if (!isIdentifier("ledgerString", id))
    return invalidField("identity_provider_config.identity_provider_id", `${JSON.stringify(id)} is not a LedgerString`);
  if (issuer === "") return missingField("identity_provider_config.issuer");
  return URL.canParse(jwksUrl)
    ? undefined
    : invalidField("identity_provider_config.jwks_url", `${JSON.stringify(jwksUrl)} is not a URL`);
}
