import * as published from "@canton-network/core-provider-ledger";
import { TokenStandardService } from "@canton-network/core-token-standard-service";
import { expect, onTestFinished, test } from "vitest";
import { startUnderstudy } from "../../src/index.ts";
import { silent, tokens } from "./_published.ts";

// The published token-standard client: it finds instruments, chooses inputs and looks up transfers.

const alice = "alice::12202bd806c97f0e00af1a1fc3328fa763a9269723c8db8fac4f93af71db186d6e90";
const bob = "bob::122081b637d8fcd2c6da6359e6963113a1170de795e4b725b84d1e0b4cfd9ec58ce9";
// Its type declarations import files without extensions, which this module resolution does not support.
const { LedgerProvider } = published as unknown as { LedgerProvider: new (options: object) => never };

test("the published token-standard client finds holdings and looks up a direct transfer", async () => {
  const understudy = await startUnderstudy({ profile: "canton-3.5" });
  onTestFinished(() => understudy.close());
  const ledger = new LedgerProvider({ baseUrl: understudy.ledgerUrl, accessTokenProvider: tokens });
  const service = new TokenStandardService(ledger, silent as never, tokens as never, false);
  const assets = await service.registriesToAssets([understudy.registryUrl]);
  expect(assets).toMatchObject([{ id: "Amulet", admin: expect.stringMatching(/^DSO::/) }]);
  const [command, disclosed] = await service.transfer.createTransfer(
    alice,
    bob,
    "120",
    assets[0]?.admin ?? "",
    "Amulet",
    understudy.registryUrl,
    undefined,
    "rent",
    new Date("2026-02-01T00:00:00Z"),
  );
  expect(command).toMatchObject({
    choice: "TransferFactory_Transfer",
    choiceArgument: { transfer: { sender: alice, receiver: bob, inputHoldingCids: { length: 2 } } },
  });
  expect(disclosed.map(({ contractId }) => contractId)).toContain(command.contractId);
  expect(JSON.stringify(command.choiceArgument)).toContain('"transfer-preapproval":{"tag":"AV_ContractId"');
});
