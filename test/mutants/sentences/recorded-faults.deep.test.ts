import { expect, test } from "vitest";
import type { Response } from "../../../src/foundation/http/response.ts";
import { probedStub } from "../../acceptance/_probed.ts";
import { consumerDay } from "./_consumer-day.ts";
import { checkedRecording } from "./_detect.ts";
import { recordedFaults } from "./recorded-faults.ts";

test.each(["spec", "canton-3.5"] as const)(
  "each of two hundred faults in a recording of %s is found, and its correct twin is not accused",
  async (profile) => {
    const stub = await probedStub({ ledger: profile });
    const day = await consumerDay(stub.handler, stub);
    const rows = recordedFaults.filter(([, , , , only]) => only === undefined || only === profile);
    expect(rows.length).toBeGreaterThanOrEqual(200);
    const found = (label: string, change: (response: Response) => Response) => {
      expect(day.map((exchange) => exchange.label)).toContain(label);
      const changed = day.map((exchange) => {
        const { response } = exchange;
        return exchange.label === label && response.type === "response"
          ? { ...exchange, response: change(response) }
          : exchange;
      });
      return checkedRecording(changed, profile, 1000, 1);
    };
    const wrong = rows.flatMap(([label, sentence, fault, twin], index) => [
      ...(found(label, fault).length > 0 ? [] : [`not found: ${index} ${label}: ${sentence}`]),
      ...found(label, twin).map((rule) => `accused by ${rule}: ${index} ${label}: ${sentence}`),
    ]);
    expect(wrong).toEqual([]);
  },
);
