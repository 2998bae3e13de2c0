import { isJsonObject } from "../../../foundation/json/json.ts";
import { listAt } from "../../rules/members.ts";
import { disclosedContract } from "../../rules/sample-bodies.ts";
import { prepareExample, transfer } from "../_samples.ts";
import { preparation } from "../_submissions.ts";
import type { ClientRule } from "../client-rule.ts";

const prepared = (members: object) =>
  prepareExample(transfer("1.0"), "YQ==", { disclosedContracts: [{ ...disclosedContract, ...members }] });

/** Registries send null for what is left out, and clients pass that on (Splice 0.7, recorded responses). */
export const debugFieldsStayBehind: ClientRule = {
  type: "exchange",
  id: "debug-fields-stay-behind",
  section: "2.1",
  severity: "warning",
  sentence: "Untrusted: may differ from createdEventBlob.",
  summary: "What a registry gives for debugging is not passed on to the ledger.",
  why: "A ledger that is told two stories of one contract may refuse it, and the debug fields are the one that nobody vouches for. They make requests several times as long.",
  advice: "Look up with `excludeDebugFields: true`.",
  operations: [preparation],
  appliesTo: ({ requestJson }) => listAt(requestJson, "disclosedContracts").length > 0,
  check: ({ requestJson }) =>
    listAt(requestJson, "disclosedContracts").flatMap((contract, index) => {
      if (!isJsonObject(contract)) return [];
      const names = Object.keys(contract).filter((name) => name.startsWith("debug") && contract[name] !== null);
      const expected = "a disclosed contract without debug fields";
      const pointer = `/disclosedContracts/${index}`;
      return names.length === 0 ? [] : [{ expected, actual: names.join(", "), pointer }];
    }),
  examples: {
    kept: [
      { ...prepared({}), name: "no debug fields" },
      { ...prepared({ debugPayload: null }), name: "a debug field that the registry left out by null" },
    ],
    broken: [{ ...prepared({ debugPackageName: "splice-amulet" }), name: "the name of a package" }],
  },
};
