import { expect, test } from "vitest";
import { exchangeOf } from "../../../test/_exchange.ts";
import { restoredEntry, storedBodyMax, storedEntry } from "./stored-entry.ts";

/** The bodies of an exchange after it was stored and restored. */
function restoredBodies(body: string, responseBody: string) {
  const entry = { ...exchangeOf({ body, responseBody }), virtualAt: "", operationId: undefined, unexpected: undefined };
  const restored = restoredEntry(storedEntry(entry, (text) => text.replaceAll("secret", "[redacted]")));
  const { response } = restored ?? {};
  return [restored?.request.body.text(), response?.type === "response" ? response.body.text() : undefined];
}

test("stores bodies with their secrets masked", () => {
  expect(restoredBodies("a secret", "no")).toEqual(["a [redacted]", "no"]);
});

test("stores a body at the maximum, and the beginning of a longer one with the number of the other characters", () => {
  const longest = "x".repeat(storedBodyMax);
  expect(restoredBodies(longest, `${longest}yyy`)).toEqual([longest, `${longest}… [3 more characters are not stored]`]);
});

test("masks a secret at the end of what it stores", () => {
  const [body] = restoredBodies(`${"x".repeat(storedBodyMax - 3)}secret`, "");
  expect(body).not.toContain("xsec");
});
