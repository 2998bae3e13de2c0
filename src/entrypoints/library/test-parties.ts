import { createPrivateKey, createPublicKey } from "node:crypto";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { sha256 } from "../../foundation/crypto/sha256.ts";
import { ed25519KeyLength } from "../../foundation/crypto/verify-signature.ts";
import { fingerprintOf } from "../../foundation/protobuf/fingerprint.ts";
import { holdingsOf } from "../../simulator/daml/token-contracts.ts";
import { amountOf, unitsOf } from "../../simulator/registry/amount.ts";
import type { WorldState } from "../../simulator/world/world-state.ts";

/** A party that has tokens. */
interface PartyWithTokens {
  readonly party: string;
  readonly instrument: string;
  readonly amount: string;
  /** Private key of an external party of the packaged LocalNet (Ed25519: seed and public key in base64, as the Wallet SDK has it). */
  readonly privateKey: string | undefined;
}

/** The parties of a world that have tokens, with their balances. */
export function partiesWithTokens({ ledger, participants, registry }: WorldState): readonly PartyWithTokens[] {
  const holdings = [ledger, ...participants.values()].flatMap(({ contracts }) =>
    holdingsOf(contracts.values(), registry),
  );
  const units = new Map<string, { readonly party: string; readonly instrument: string; units: bigint }>();
  for (const { holding } of holdings) {
    const key = JSON.stringify([holding.owner, holding.instrumentId]);
    const entry = units.get(key) ?? { party: holding.owner, instrument: holding.instrumentId, units: 0n };
    units.set(key, { ...entry, units: entry.units + (unitsOf(holding.amount) ?? 0n) });
  }
  return [...units.values()].map(({ party, instrument, units }) => ({
    party,
    instrument,
    amount: amountOf(units).replace(/\.?0+$/, ""),
    privateKey: testKeyOf(party),
  }));
}

/** The start of an Ed25519 private key in PKCS #8, before the seed. */
const pkcs8 = [48, 46, 2, 1, 0, 48, 5, 6, 3, 43, 101, 112, 4, 34, 4, 32];

/** The key that the name of a party derives, if it is the party's namespace; undefined for all other parties. Everyone knows it, so it protects nothing. */
function testKeyOf(party: string): string | undefined {
  const [name, namespace] = party.split("::");
  const seed = sha256(utf8ToBytes(`understudy localnet ${name}`));
  const key = createPrivateKey({ key: Buffer.from([...pkcs8, ...seed]), format: "der", type: "pkcs8" });
  const published = createPublicKey(key).export({ format: "der", type: "spki" }).subarray(-ed25519KeyLength);
  return fingerprintOf(published) === namespace ? Buffer.from([...seed, ...published]).toString("base64") : undefined;
}
