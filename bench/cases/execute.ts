import { isObject, parseObject } from "../json.ts";
import { ask, type LoadRequest } from "../load/request.ts";
import type { LoadCase, TrafficSource } from "./_load-case.ts";
import { lookup } from "./transfer-factory.ts";

const signature = {
  format: "SIGNATURE_FORMAT_CONCAT",
  signature: "AAAA",
  signedBy: "1220ab",
  signingAlgorithmSpec: "SIGNING_ALGORITHM_SPEC_ED25519",
};

/** Requests that are sent at once while submissions are prepared. */
const atOnce = 8;

export const executeAndWait: LoadCase = {
  name: "execute",
  title: "`POST executeAndWait`",
  about:
    "a new transaction in each request, prepared before the measurement; the server decodes it, interprets it again, commits it and creates a holding",
  members: ["updateId"],
  freshForWarmUp: 4500,
  async requests(source, round, count) {
    const prepare = await tapsOf(source);
    const requests: LoadRequest[] = [];
    for (let first = 0; first < count; first += atOnce) {
      const numbers = Array.from({ length: Math.min(atOnce, count - first) }, (_, index) => first + index);
      requests.push(...(await Promise.all(numbers.map((number) => prepare(`${round}-${number}`)))));
    }
    return requests;
  },
};

/** Prepares transactions that give a party test tokens, each with its own command id. */
async function tapsOf({ fixture, understudyUrl }: TrafficSource): Promise<(commandId: string) => Promise<LoadRequest>> {
  const [party = ""] = fixture.parties;
  const { choiceContext } = await responseTo(understudyUrl, tapLookup(fixture));
  if (!isObject(choiceContext) || !isObject(choiceContext["choiceContextData"])) throw new Error("no choice context");
  const values = choiceContext["choiceContextData"]["values"];
  const command = {
    templateId: "#splice-amulet:Splice.AmuletRules:AmuletRules",
    contractId: contractIn(values, "amulet-rules"),
    choice: "AmuletRules_DevNet_Tap",
    choiceArgument: { receiver: party, amount: "1", openRound: contractIn(values, "open-round") },
  };
  const { disclosedContracts } = choiceContext;
  return async (commandId) => {
    const body = { commandId, actAs: [party], disclosedContracts, commands: [{ ExerciseCommand: command }] };
    const path = "/v2/interactive-submission/prepare";
    const prepared = await responseTo(understudyUrl, { method: "POST", path, body: JSON.stringify(body) });
    return execution(party, commandId, prepared);
  };
}

function execution(party: string, submissionId: string, prepared: Awaited<ReturnType<typeof responseTo>>): LoadRequest {
  const { preparedTransaction, hashingSchemeVersion } = prepared;
  const body = {
    preparedTransaction,
    hashingSchemeVersion,
    submissionId,
    deduplicationPeriod: { Empty: {} },
    partySignatures: { signatures: [{ party, signatures: [signature] }] },
  };
  return { method: "POST", path: "/v2/interactive-submission/executeAndWait", body: JSON.stringify(body) };
}

/** A lookup of the first version of the standard, from a party to itself: its context has the open round. */
function tapLookup(fixture: TrafficSource["fixture"]): LoadRequest {
  const [party] = fixture.parties;
  const second = lookup(fixture);
  const { choiceArguments } = parseObject(second.body ?? "");
  if (!isObject(choiceArguments) || !isObject(choiceArguments["transfer"])) throw new Error("no transfer in a lookup");
  const body = {
    choiceArguments: {
      expectedAdmin: fixture.registryAdmin,
      transfer: { ...choiceArguments["transfer"], sender: party, receiver: party },
      extraArgs: choiceArguments["extraArgs"],
    },
    excludeDebugFields: true,
  };
  return { method: "POST", path: second.path.replace("/v2/", "/v1/"), body: JSON.stringify(body) };
}

function contractIn(values: unknown, name: string): unknown {
  const found = isObject(values) ? values[name] : undefined;
  return isObject(found) ? found["value"] : undefined;
}

async function responseTo(url: string, request: LoadRequest): Promise<Readonly<Record<string, unknown>>> {
  const { status, text } = await ask(url, request);
  if (status !== 200) throw new Error(`${request.path} returned ${status}: ${text.slice(0, 500)}`);
  return parseObject(text);
}
