import { askJson, type Fetch, type LoadRequest, post } from "../request.ts";
import type { World } from "../workspace.ts";
import type { Traffic } from "./_traffic.ts";
import { lookup } from "./transfer-factory.ts";

const signature = {
  format: "SIGNATURE_FORMAT_CONCAT",
  signature: "AAAA",
  signedBy: "1220ab",
  signingAlgorithmSpec: "SIGNING_ALGORITHM_SPEC_ED25519",
};

/** Requests that are sent at once while submissions are prepared. */
const atOnce = 8;

export const executeAndWait: Traffic = {
  name: "execute",
  title: "`POST executeAndWait`",
  members: ["updateId"],
  async requests(world, round, count, send) {
    const prepare = await tapsOf(world, send);
    const requests: LoadRequest[] = [];
    for (let first = 0; first < count; first += atOnce) {
      const numbers = Array.from({ length: Math.min(atOnce, count - first) }, (_, index) => first + index);
      requests.push(...(await Promise.all(numbers.map((number) => prepare(`${round}-${number}`)))));
    }
    return requests;
  },
};

/** Prepares transactions that give a party test tokens, each with its own command id. */
export async function tapsOf(world: World, send: Fetch): Promise<(id: string, party?: string) => Promise<LoadRequest>> {
  const [first = ""] = world.parties;
  const { choiceContext } = await askJson(send, tapLookup(world));
  const { values } = choiceContext.choiceContextData;
  const { disclosedContracts } = choiceContext;
  return async (commandId: string, party: string = first): Promise<LoadRequest> => {
    const command = {
      templateId: "#splice-amulet:Splice.AmuletRules:AmuletRules",
      contractId: values["amulet-rules"].value,
      choice: "AmuletRules_DevNet_Tap",
      choiceArgument: { receiver: party, amount: "1", openRound: values["open-round"].value },
    };
    const body = { commandId, actAs: [party], disclosedContracts, commands: [{ ExerciseCommand: command }] };
    const prepared = await askJson(send, post("/v2/interactive-submission/prepare", body));
    return post("/v2/interactive-submission/executeAndWait", {
      preparedTransaction: prepared.preparedTransaction,
      hashingSchemeVersion: prepared.hashingSchemeVersion,
      submissionId: commandId,
      deduplicationPeriod: { Empty: {} },
      partySignatures: { signatures: [{ party, signatures: [signature] }] },
    });
  };
}

/** A lookup of the first version of the standard, from a party to itself: its context has the open round. */
function tapLookup(world: World): LoadRequest {
  const [party] = world.parties;
  const { path, body = "" } = lookup(world);
  const { transfer, extraArgs } = JSON.parse(body).choiceArguments;
  const own = { ...transfer, sender: party, receiver: party };
  const choiceArguments = { expectedAdmin: world.registryAdmin, transfer: own, extraArgs };
  return post(path.replace("/v2/", "/v1/"), { choiceArguments, excludeDebugFields: true });
}
