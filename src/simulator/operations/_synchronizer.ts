import { isIdentifier } from "../../foundation/spec/identifiers.ts";
import type { LedgerState, Synchronizer } from "../ledger/ledger-state.ts";

/** First protocol version whose prepared transactions name the physical synchronizer. */
export const physicalIdVersion = 35;

export function connectedSynchronizers({ synchronizers }: LedgerState): readonly Synchronizer[] {
  return [...synchronizers.values()].filter(({ isConnected }) => isConnected);
}

/** The connected synchronizer with this logical or physical id. */
export function connectedSynchronizer(requested: string, ledger: LedgerState): Synchronizer | undefined {
  if (!isIdentifier("synchronizer", requested)) return undefined;
  return connectedSynchronizers(ledger).find(({ id }) => requested === id || requested.startsWith(`${id}::`));
}

/** The physical id: logical id, protocol version and serial. */
export function physicalId({ id, protocolVersion }: Synchronizer): string {
  return `${id}::${protocolVersion}-0`;
}
