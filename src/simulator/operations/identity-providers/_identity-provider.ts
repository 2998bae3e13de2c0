import type { Json, JsonObject } from "../../../foundation/json/json.ts";
import { objectOf, textOf } from "../../../foundation/json/members.ts";
import type { IdentityProvider } from "../../ledger/ledger-state.ts";
import { ledgerStringProblem } from "../_identifier-problem.ts";
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

/** `attempted` names the operation in the node's words. */
export function providerNotFound(id: string, attempted: string): Refusal {
  return nodeError("IDP_CONFIG_NOT_FOUND", `${attempted} failed for unknown identity provider id="${id}"`, {
    resources: [["IDENTITY_PROVIDER_CONFIG", id]],
  });
}

/** Refuses an issuer of another configuration. `attempted` names the operation in the node's words. */
export function checkIssuer(
  { id, issuer }: IdentityProvider,
  others: Iterable<IdentityProvider>,
  attempted: string,
): Refusal | undefined {
  if (![...others].some((other) => other.id !== id && other.issuer === issuer)) return undefined;
  return nodeError(
    "IDP_CONFIG_ISSUER_ALREADY_EXISTS",
    `${attempted} failed, as identity provider with issuer "${issuer}" already exists`,
    { resources: [["IDENTITY_PROVIDER_CONFIG", issuer]] },
  );
}

/** Checks the members that every configuration must have, new or changed, in the order of a node. */
export function checkShape({ id, issuer, jwksUrl }: IdentityProvider): Refusal | undefined {
  const misnamed = checkProviderId(id);
  if (misnamed !== undefined) return misnamed;
  if (jwksUrl === "") return missingField("jwks_url");
  if (!URL.canParse(jwksUrl)) return invalidField("jwks_url", `Malformed URL: ${jwksUrl}`);
  return issuer === "" ? missingField("issuer") : undefined;
}

/** Checks the id of a configuration in a request. */
export function checkProviderId(id: string): Refusal | undefined {
  if (id === "") return missingField("identity_provider_id");
  const problem = ledgerStringProblem(id);
  return problem === undefined ? undefined : invalidField("identity_provider_id", problem);
}
