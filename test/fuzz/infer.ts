import type { Handler } from "../../src/foundation/http/handler.ts";
import { formatJson, isJsonObject, type Json, type JsonObject, jsonOf } from "../../src/foundation/json/json.ts";
import { entryExchange } from "../../src/recordings/har/recorded-exchange.ts";
import { BeyondLimit } from "../../src/recordings/har/recording-limits.ts";
import type { Scenario } from "../../src/scenarios/files/load-scenario.ts";
import { inferScenario } from "../../src/scenarios/inference/infer-scenario.ts";
import { NotPlayable } from "../../src/scenarios/inference/not-playable.ts";
import { World } from "../../src/simulator/world/world.ts";
import { below, isDrawn, oneOf, type Random } from "./_draw.ts";
import type { FuzzKind } from "./_fuzz-kind.ts";
import { stubsByProfile } from "./_loaded.ts";
import { mutatedJson } from "./_mutate-json.ts";
import { type GoodRecordings, goodRecordings } from "./_recordings.ts";
import { targetOf } from "./_target-of.ts";

/** Entries of a recording of which a scenario is inferred, which is played: it takes longer than anything else, so it is thrown apart. */
export const KIND: FuzzKind = {
  name: "infer",
  open: async () => {
    const good = await goodRecordings();
    const stubsOf = stubsByProfile();
    const createStub = (scenario: Scenario): Handler => {
      const world = new World(scenario.initial, { type: "frozen" }, () => 0);
      const stub = stubsOf(scenario.profile)(world);
      return (request) => stub(request).response;
    };
    return targetOf({
      draw: (random) => drawn(good, random),
      check: (entries) => check(entries, createStub),
      show: (entries) => entries.join("\n"),
    });
  },
};

const paths = {
  given: { ledger: "ledger.yaml", registry: "registry.yaml" },
  sources: { ledger: "l.yaml", registry: "r.yaml", additionalOperations: "n.yaml", control: "c.yaml" },
};

function drawn({ entries }: GoodRecordings, random: Random): readonly string[] {
  return Array.from({ length: 1 + below(random, 2) }, () => {
    const entry = oneOf(random, entries);
    return isDrawn(random, 0.5) ? mutatedJson(entry, random) : withMutatedBody(entry, random);
  });
}

/** Bodies are texts in an entry; the inferred values are in them. */
function withMutatedBody(entry: Json, random: Random): string {
  const changed = (message: Json | undefined, member: string): JsonObject => {
    const whole = isJsonObject(message) ? message : {};
    const content = whole[member];
    const text = isJsonObject(content) ? content["text"] : undefined;
    const value = typeof text === "string" ? jsonOf(text) : undefined;
    if (!isJsonObject(content) || value === undefined) return whole;
    return { ...whole, [member]: { ...content, text: mutatedJson(value, random) } };
  };
  const { request, response, ...rest } = isJsonObject(entry) ? entry : {};
  const isOfResponse = isDrawn(random, 0.7);
  return formatJson({
    ...rest,
    request: isOfResponse ? (request ?? null) : changed(request, "postData"),
    response: isOfResponse ? changed(response, "content") : (response ?? null),
  });
}

async function check(
  entries: readonly string[],
  createStub: (scenario: Scenario) => Handler,
): Promise<string | undefined> {
  const values = entries.flatMap((entry) => {
    const value = jsonOf(entry);
    return isJsonObject(value) ? [value] : [];
  });
  try {
    const exchanges = values.map((value) => entryExchange(value));
    await inferScenario(exchanges, {
      name: "x",
      origin: "x.har",
      paths,
      stepsMax: 100,
      profile: undefined,
      createStub,
    });
  } catch (error) {
    // A recording with such an entry is not imported.
    if (!(error instanceof NotPlayable || error instanceof BeyondLimit)) throw error;
  }
  return undefined;
}
