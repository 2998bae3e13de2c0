import { expect, test } from "vitest";
import { isLoopbackAddress, reachableUrl, withoutControlToken } from "./control-access.ts";

test.each([
  ["127.0.0.1", true],
  ["127.0.0.2", true],
  ["127.255.255.254", true],
  ["::1", true],
  ["[::1]", true],
  ["0:0:0:0:0:0:0:1", true],
  ["::ffff:127.0.0.1", true],
  ["localhost", true],
  ["LOCALHOST", true],
  ["0.0.0.0", false],
  ["::", false],
  ["128.0.0.1", false],
  ["10.0.0.1", false],
  ["::2", false],
  ["::ffff:10.0.0.1", false],
  ["fe80::1", false],
  ["127.1", false],
  ["127.0.0.1.a.example", false],
  ["localhost.a.example", false],
  ["stub", false],
])("only this machine reaches %s: %s", (host, expected) => {
  expect(isLoopbackAddress(host)).toBe(expected);
});

test.each([
  [
    ["serve", "--control-token", "secret", "--port", "0"],
    ["serve", "--port", "0"],
  ],
  [
    ["serve", "--control-token=secret", "a.yaml"],
    ["serve", "a.yaml"],
  ],
  [
    ["serve", "--port", "0"],
    ["serve", "--port", "0"],
  ],
])("leaves the token out of %j", (words, expected) => {
  expect(withoutControlToken(words)).toEqual(expected);
});

test("an address that stands for all is asked at loopback", () => {
  expect(reachableUrl("http://0.0.0.0:7575")).toBe("http://127.0.0.1:7575");
  expect(reachableUrl("https://[::]:7575")).toBe("https://[::1]:7575");
  expect(reachableUrl("http://10.0.0.1:7575")).toBe("http://10.0.0.1:7575");
});
