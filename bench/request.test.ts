import { expect, test } from "vitest";
import { bytesOf, post } from "./request.ts";

test("a request without a body ends after its headers", () => {
  expect(bytesOf({ method: "GET", path: "/v2/users" })).toBe(
    "GET /v2/users HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer any\r\n\r\n",
  );
});

test("a registry gets no token", () => {
  expect(bytesOf(post("/registry/x", {}))).not.toContain("Authorization");
  expect(bytesOf(post("/v2/x", {}))).toContain("Authorization: Bearer any\r\n");
});

test("the length of a body is in bytes", () => {
  const bytes = bytesOf({ method: "POST", path: "/x", body: '"é"' });
  expect(bytes).toContain("\r\nContent-Type: application/json\r\nContent-Length: 4\r\n\r\n");
  expect(bytes.endsWith('\r\n\r\n"é"')).toBe(true);
});
