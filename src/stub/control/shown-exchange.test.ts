import { expect, test } from "vitest";
import { exchangeOf } from "../../../test/_exchange.ts";
import { scenarioOf } from "../../../test/_scenario.ts";
import type { HeaderList } from "../../foundation/http/header.ts";
import { maskedHeaders } from "../../foundation/secrets/mask.ts";
import { World } from "../../simulator/world/world.ts";
import { maskOfExchange } from "../journal/shown-exchange.ts";

const exchangeWith = (headers: HeaderList) => exchangeOf({ target: "/", headers, responseHeaders: [] });

const quickstart = () => new World(scenarioOf("quickstart").initial, { type: "frozen" }, () => 0);

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
