import { contextLookups } from "../../rules/context-lookups.ts";
import { noFindings, notApplicable, type TracedExchange, withFindings } from "../../rules/rule.ts";
import { users } from "../../rules/sample-users.ts";
import { lookupExample, transfer } from "../_samples.ts";
import { executions, preparation } from "../_submissions.ts";
import type { ClientRule } from "../client-rule.ts";
import { createTokens } from "./_tokens.ts";

const list = { ...users, requestHeaders: { Authorization: "Bearer ledger-token-of-alice" } };
const lookUp = lookupExample(transfer("1.0"));
const leaking = { ...lookUp, requestHeaders: list.requestHeaders };

/**
 * The scan proxy of a validator runs in front of the registry and requires a ledger token (Splice 0.7, the metadata
 * API of the token standard).
 */
const proxied = /\/scan-proxy\//;

/** A token sent to a registry first is reported at its first use at the ledger. */
export const tokenStaysAtLedger: ClientRule = {
  type: "trace",
  id: "token-stays-at-ledger",
  section: "5",
  severity: "warning",
  sentence: "The registry's operation asks for no authentication.",
  summary: "A ledger token is not sent to a registry.",
  why: "Another party runs the registry. A holder of the token acts on the ledger with all rights of its user until the token expires.",
  advice: "Send requests to registries without Authorization, or with a token meant for them.",
  operations: [
    ...contextLookups,
    ...["getRegistryInfo", "listInstruments", "getInstrument"],
    ...["getV2Users", "patchV2UsersUser-id", "postV2UsersUser-idRights", "postV2PartiesExternalAllocate"],
    ...[
      "getV2PackagesPackage-idStatus",
      "getV2Idps",
      "postV2Package-vetting",
      "postV2Package-vettingUpdate",
      "postPackage-vettingUpdate",
    ],
    ...["getV2Authenticated-user", "postV2PartiesExternalGenerate-topology", preparation, ...executions],
  ],
  assumesExclusiveUse: false,
  watch(memories) {
    const tokenOf = createTokens();
    const atLedger = memories.map<true>();
    const atRegistry = memories.map<true>();
    return {
      ends(traced) {
        const token = tokenOf(traced);
        if (token === undefined || isProxied(traced)) return notApplicable;
        const [isLedgers, isSent] = [atLedger.get(token) === true, atRegistry.get(token) === true];
        if (traced.operation.api === "registry") {
          atRegistry.set(token, true);
          if (!isLedgers) return noFindings;
          const actual = "a token that was sent to the ledger before";
          return withFindings([{ expected: "no ledger token", actual, pointer: "" }]);
        }
        atLedger.set(token, true);
        if (!isSent || isLedgers) return noFindings;
        const expected = "a token that was not sent to a registry";
        const actual = "the token of an earlier registry request";
        return withFindings([{ expected, actual, pointer: "" }]);
      },
    };
  },
  examples: {
    kept: [
      { name: "a lookup without a token", exchanges: [list, lookUp] },
      {
        name: "a token meant for the registry",
        exchanges: [list, { ...lookUp, requestHeaders: { Authorization: "Bearer token-of-the-registry" } }],
      },
      {
        name: "a lookup through a scan proxy",
        exchanges: [list, { ...leaking, target: `/api/validator/v0/scan-proxy${lookUp.target}` }],
      },
    ],
    broken: [
      { name: "a lookup with a ledger token", exchanges: [list, leaking] },
      { name: "a token used at a registry first, then at the ledger", exchanges: [leaking, list] },
    ],
  },
};

function isProxied({ exchange }: TracedExchange): boolean {
  return proxied.test(exchange.request.target);
}
