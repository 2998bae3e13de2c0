import { expect, test } from "vitest";
import { Body } from "../../foundation/http/body.ts";
import type { Exchange } from "../../foundation/http/exchange.ts";
import type { HeaderList } from "../../foundation/http/header.ts";
import { createRedactor } from "./redactor.ts";

interface Given {
  readonly target?: string;
  readonly headers?: HeaderList;
  readonly body?: string;
  readonly response?: string;
}

function exchangeOf({ target = "/v2/idps", headers = [], body = "", response = "" }: Given): Exchange {
  return {
    startedAt: "2026-01-01T00:00:00.000Z",
    durationMs: 1,
    request: { method: "POST", target, headers, body: new Body(body) },
    response: { type: "response", status: 200, headers: [], body: new Body(response) },
  };
}

function redacted(given: Given, redactor = createRedactor()): Required<Given> {
  const { request, response } = redactor.redact(exchangeOf(given));
  const responded = response.type === "response" ? response.body.text() : "";
  return { target: request.target, headers: request.headers, body: request.body.text(), response: responded };
}

const opaque: HeaderList = [["Authorization", "Bearer MARKBEAROPAQUE"]];

test("redacts an opaque token wherever it occurs, later exchanges included", () => {
  const redactor = createRedactor();
  const target = "/v2/users/MARKBEAROPAQUE?x=%4DARKBEAROPAQUE";
  const first = redacted({ target, headers: opaque, body: '{"note":"MARKBEAROPAQUE here"}' }, redactor);
  expect(first).toMatchObject({
    target: "/v2/users/token-1?x=token-1",
    headers: [["Authorization", "Bearer token-1"]],
    body: '{"note":"token-1 here"}',
  });
  expect(redacted({ body: '{"a":"MARKBEAROPAQUE"}' }, redactor).body).toBe('{"a":"token-1"}');
});

test.each(['{"userId":"MARKBEAROPAQUE"}', '{"users":[{"id":"MARKBEAROPAQUE"}]}'])(
  "a token stays a secret where the target responds with %s",
  (response) => {
    expect(redacted({ target: "/v2/users/MARKBEAROPAQUE/rights", headers: opaque, response })).toMatchObject({
      target: "/v2/users/token-1/rights",
      headers: [["Authorization", "Bearer token-1"]],
      response: response.replace("MARKBEAROPAQUE", "token-1"),
    });
  },
);

test("keeps participant_admin, also where it serves as a token", () => {
  const headers: HeaderList = [["Authorization", "Bearer participant_admin"]];
  const response = '{"user":{"id":"participant_admin"}}';
  expect(redacted({ headers, response }).response).toBe(response);
});

test("the password of basic credentials is redacted elsewhere too", () => {
  const headers: HeaderList = [["Authorization", `Basic ${btoa("alice:correct-horse")}`]];
  expect(redacted({ headers, body: '{"note":"it is correct-horse"}' })).toMatchObject({
    headers: [["Authorization", "Basic credentials-1"]],
    body: '{"note":"it is credentials-2"}',
  });
});

test("the number of secrets of earlier exchanges that are searched is limited", () => {
  const redactor = createRedactor();
  for (let number = 100; number < 200; number += 1)
    redactor.redact(exchangeOf({ headers: [["Authorization", `Bearer MARKED-${number}-OPAQUE`]] }));
  const body = JSON.stringify({ a: "MARKED-199-OPAQUE is new", b: "MARKED-136-OPAQUE", c: "MARKED-135-OPAQUE is old" });
  expect(redacted({ body }, redactor).body).toBe(
    '{"a":"token-100 is new","b":"token-37","c":"MARKED-135-OPAQUE is old"}',
  );
});
