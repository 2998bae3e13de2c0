import { notApplicable, type TracedExchange, withFindings } from "../../rules/rule.ts";
import { usersPage } from "../../rules/sample-bodies.ts";
import { contextLookups } from "../_lookups.ts";
import { lookupExample, transfer } from "../_samples.ts";
import { executions, preparation } from "../_submissions.ts";
import type { ClientRule } from "../client-rule.ts";
import { createTokens } from "./_tokens.ts";

const list = {
  operationId: "getV2Users",
  target: "/v2/users",
  requestHeaders: { Authorization: "Bearer ledger-token-of-alice" },
  status: 200,
  body: usersPage,
} as const;
const lookUp = lookupExample(transfer("1.0"));
const leaking = { ...lookUp, requestHeaders: list.requestHeaders };

/** A validator's proxy to its registry stands before the ledger's own and asks for a token of it (Splice 0.7, the metadata API of the token standard). */
const proxied = /\/scan-proxy\//;

/** A token that a registry is sent first is found where it is first used at the ledger. */
export const tokenStaysAtLedger: ClientRule = {
  type: "trace",
  id: "token-stays-at-ledger",
  section: "5",
  severity: "warning",
  sentence: "The registry endpoint declares no security requirement.",
  summary: "A token of the ledger is sent to no registry.",
  why: "A registry is run by somebody else. Whoever has the token acts on the ledger with all rights of its user, until it expires.",
  advice: "Ask registries without the header Authorization, or with a token that is meant for them.",
  operations: [
    ...contextLookups,
    ...["getRegistryInfo", "listInstruments", "getInstrument"],
    ...["getV2Users", "patchV2UsersUser-id", "postV2UsersUser-idRights", "postV2PartiesExternalAllocate"],
    ...["getV2PackagesPackage-idStatus", "getV2Idps", "postV2Package-vetting", "postV2Package-vettingUpdate"],
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
          const actual = "a token that the ledger was sent before";
          return withFindings(isLedgers ? [{ expected: "no token of the ledger", actual, pointer: "" }] : []);
        }
        atLedger.set(token, true);
        const expected = "a token that no registry was sent";
        const actual = "that of an earlier request to a registry";
        return withFindings(isSent && !isLedgers ? [{ expected, actual, pointer: "" }] : []);
      },
    };
  },
  examples: {
    kept: [
      { name: "a lookup without a token", exchanges: [list, lookUp] },
      {
        name: "a token of the registry",
        exchanges: [list, { ...lookUp, requestHeaders: { Authorization: "Bearer token-of-the-registry" } }],
      },
      {
        name: "a lookup through the proxy of a validator",
        exchanges: [list, { ...leaking, target: `/api/validator/v0/scan-proxy${lookUp.target}` }],
      },
    ],
    broken: [
      { name: "a lookup with the ledger's token", exchanges: [list, leaking] },
      { name: "a token that is used at the ledger after a lookup", exchanges: [leaking, list] },
    ],
  },
};

function isProxied({ exchange }: TracedExchange): boolean {
  return proxied.test(exchange.request.target);
}
