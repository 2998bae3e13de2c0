import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, test } from "vitest";
import { emptyBody } from "../../foundation/http/body.ts";
import type { Exchange } from "../../foundation/http/exchange.ts";
import type { HeaderList } from "../../foundation/http/header.ts";
import { maskedHeaders } from "../../foundation/secrets/mask.ts";
import { loadScenario } from "../../scenarios/files/load-scenario.ts";
import { World } from "../../simulator/world/world.ts";
import { maskOfExchange } from "./shown-exchange.ts";

function exchangeWith(headers: HeaderList): Exchange {
  const response = { type: "response", status: 200, headers: [], body: emptyBody } as const;
  return {
    startedAt: "2026-01-01T00:00:00Z",
    durationMs: 1,
    request: { method: "GET", target: "/", headers, body: emptyBody },
    response,
  };
}

const files = {
  read: (path: string) => readFileSync(path, "utf8"),
  resolve: (from: string, relative: string) => resolve(dirname(from), relative),
};

function quickstart(): World {
  const loaded = loadScenario(join(import.meta.dirname, "../../../scenarios/quickstart.arazzo.yaml"), files, {});
  if (loaded.type === "invalid") throw new Error("the quickstart scenario is valid");
  return new World(loaded.scenario.initial, { type: "frozen" }, () => 0);
}

test("redacts the value of a secret header of any length", () => {
  const headers: HeaderList = [
    ["Cookie", "a"],
    ["Accept", "b"],
  ];
  const mask = maskOfExchange(exchangeWith(headers), undefined);
  expect(maskedHeaders(headers, mask)).toEqual([
    ["Cookie", "[redacted]"],
    ["Accept", "b"],
  ]);
});

test("redacts the value of a secret header wherever it occurs", () => {
  const mask = maskOfExchange(exchangeWith([["Authorization", "Bearer 0123456789abcdef"]]), undefined);
  expect(mask("/v2/users/0123456789abcdef")).toBe("/v2/users/[redacted]");
});

test("shows a token that is a user id", () => {
  const mask = maskOfExchange(exchangeWith([["Authorization", "Bearer participant_admin"]]), quickstart());
  expect(mask("/v2/users/participant_admin")).toBe("/v2/users/participant_admin");
});
