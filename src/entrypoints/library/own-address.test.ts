import { expect, test } from "vitest";
import { isLoopbackAddress, reachableUrl } from "./own-address.ts";

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
])("%s is a loopback address: %s", (host, expected) => {
  expect(isLoopbackAddress(host)).toBe(expected);
});

test("the URL for clients has the loopback address instead of an unspecified one", () => {
  expect(reachableUrl("http://0.0.0.0:7575")).toBe("http://127.0.0.1:7575");
  expect(reachableUrl("https://[::]:7575")).toBe("https://[::1]:7575");
  expect(reachableUrl("http://10.0.0.1:7575")).toBe("http://10.0.0.1:7575");
});
