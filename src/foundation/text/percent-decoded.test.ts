import { expect, test } from "vitest";
import { percentDecoded } from "./percent-decoded.ts";

test.each([
  ["alice%3A%3A1220", "alice::1220"],
  ["%C3%A4", "ä"],
  ["plain+text", "plain+text"],
  ["%", "%"],
  ["50%-%41", "50%-%41"],
  ["%ff", "%ff"],
])("decodes %s to %s", (text, decoded) => {
  expect(percentDecoded(text)).toBe(decoded);
});
