import { isJsonObject } from "../../../foundation/json/json.ts";
import { listAt } from "../../rules/members.ts";
import { disclosedContract } from "../../rules/sample-bodies.ts";
import { prepareExample, transfer } from "../_samples.ts";
import { preparation } from "../_submissions.ts";
import type { ClientRule } from "../client-rule.ts";

const prepared = (members: object) =>
  prepareExample(transfer("1.0"), "YQ==", { disclosedContracts: [{ ...disclosedContract, ...members }] });

/** Registries send null for excluded fields, and clients may forward that (Splice 0.7, recorded responses). */
export const debugFieldsStayBehind: ClientRule = {
  type: "exchange",
  id: "debug-fields-stay-behind",
  section: "2.1",
  severity: "warning",
  sentence: "The value is untrusted and may contradict `createdEventBlob`.",
  summary: "Debug fields of a registry are not forwarded to the ledger.",
  why: "The ledger may reject a contract whose debug fields contradict its blob; debug fields are untrusted. They also make requests several times larger.",
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
      { ...prepared({ debugPayload: null }), name: "a debug field that is null" },
    ],
    broken: [{ ...prepared({ debugPackageName: "splice-amulet" }), name: "a package name" }],
  },
};
