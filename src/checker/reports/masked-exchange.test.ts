import { expect, test } from "vitest";
import { sent } from "../../../test/_redacted.ts";
import type { Exchange } from "../../foundation/http/exchange.ts";
import { maskedExchange } from "./masked-exchange.ts";

function exchangeWith(token: string, target: string, body: string, status: number, responded: string): Exchange {
  const headers = [
    ["Authorization", `Bearer ${token}`],
    ["Content-Length", String(body.length)],
  ] as const;
  return sent({ target, headers, body, status, responseBody: responded });
}

test("redacts the bearer token everywhere, and updates Content-Length", () => {
  const exchange = exchangeWith(
    "an-opaque-bearer",
    "/v2/users/an-opaque-bearer",
    '{"note":"an-opaque-bearer"}',
    404,
    "",
  );
  const { request } = maskedExchange(exchange);
  expect([request.target, request.body.text()]).toEqual(["/v2/users/[redacted]", '{"note":"[redacted]"}']);
  expect(request.headers).toEqual([
    ["Authorization", "[redacted]"],
    ["Content-Length", "21"],
  ]);
});

test.each([
  ["/v2/users/a-user-of-it", "", 200, "{}"],
  ["/v2/commands/submit-and-wait", '{"userId":"a-user-of-it"}', 400, ""],
  ["/v2/users", "", 200, '{"users":[{"id":"a-user-of-it"}]}'],
])("masks a bearer token that %s gives as the id of a user", (target, body, status, responded) => {
  const { request, response } = maskedExchange(exchangeWith("a-user-of-it", target, body, status, responded));
  const received = response.type === "response" ? response.body.text() : "";
  const masked = [target, body, responded].map((each) => each.replace("a-user-of-it", "[redacted]"));
  expect([request.target, request.body.text(), received]).toEqual(masked);
});
