import { bytesToHex } from "@noble/hashes/utils.js";
import type { Exchange } from "../../foundation/http/exchange.ts";
import { jsonOf } from "../../foundation/json/json.ts";
import { objectOf, objectsOf, textOf } from "../../foundation/json/members.ts";
import { decodeTopologyTransaction, type TopologyMapping } from "../../foundation/protobuf/topology-transaction.ts";
import { bodyText } from "./body-text.ts";
import type { Names } from "./pseudonyms.ts";

/** Names the keys and then the decentralized namespaces of an onboarding before its ids, so that fingerprints remain hashes. */
export function nameOnboarding({ request }: Exchange, names: Names): void {
  if (!names.renamesBytes || !request.target.includes("/parties/external/allocate")) return;
  const body = objectOf(jsonOf(bodyText(request) ?? ""));
  const mappings = objectsOf(body["onboardingTransactions"]).flatMap(({ transaction = "" }) => {
    const mapping = decodeTopologyTransaction(textOf(transaction))?.mapping;
    return mapping === undefined ? [] : [mapping];
  });
  for (const bytes of mappings.flatMap(keysOf)) if (bytes.length > 0) names.key(bytesToHex(bytes));
  for (const mapping of mappings)
    if (mapping.type === "decentralized-namespace") names.namespace(mapping.namespace, mapping.owners);
}

function keysOf(mapping: TopologyMapping): readonly Uint8Array[] {
  switch (mapping.type) {
    case "namespace-delegation":
      return [mapping.targetKey.bytes];
    case "party-to-participant":
      return mapping.hosting.keys.map(({ bytes }) => bytes);
    case "party-to-key":
      return mapping.keys.map(({ bytes }) => bytes);
    case "decentralized-namespace":
    case "other":
      return [];
  }
}
