import { expect, test } from "vitest";
import { redacted } from "../../../test/_redacted.ts";
import type { HeaderList } from "../../foundation/http/header.ts";
import { createRedactor } from "./redactor.ts";

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

test("a text and a name that were kept are redacted once an exchange has them as a token", () => {
  const redactor = createRedactor();
  const body = '{"MARKBEAROPAQUE":"MARKBEAROPAQUE"}';
  expect(redacted({ body }, redactor).body).toBe(body);
  expect(redacted({ body }, redactor).body).toBe(body);
  redacted({ headers: opaque }, redactor);
  expect(redacted({ body }, redactor).body).toBe('{"token-1":"token-1"}');
});

test("a kept text is still read where its member says what it is", () => {
  const redactor = createRedactor();
  redacted({ body: '{"a":"correlated-by-a-client"}' }, redactor);
  const body =
    '{"a":"correlated-by-a-client","commandId":"correlated-by-a-client","password":"correlated-by-a-client"}';
  expect(redacted({ body }, redactor).body).toBe(redacted({ body }).body);
});

test.each(['{"userId":"MARKBEAROPAQUE"}', '{"users":[{"id":"MARKBEAROPAQUE"}]}'])(
  "a token stays a secret where the target responds with %s",
  (response) => {
    expect(
      redacted({ target: "/v2/users/MARKBEAROPAQUE/rights", headers: opaque, responseBody: response }),
    ).toMatchObject({
      target: "/v2/users/token-1/rights",
      headers: [["Authorization", "Bearer token-1"]],
      response: response.replace("MARKBEAROPAQUE", "token-1"),
    });
  },
);

test("a token that is base64 of bytes with an escape by chance stays a secret", () => {
  const token = "MARKED0a01x1aaa00aAA";
  expect(atob(token)).toContain("\\u");
  expect(
    redacted({ headers: [["Authorization", `Bearer ${token}`]], body: JSON.stringify({ a: token, b: [token] }) }).body,
  ).toBe('{"a":"token-1","b":["token-1"]}');
});

test("keeps participant_admin, also where it serves as a token", () => {
  const headers: HeaderList = [["Authorization", "Bearer participant_admin"]];
  const response = '{"user":{"id":"participant_admin"}}';
  expect(redacted({ headers, responseBody: response }).response).toBe(response);
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
    redacted({ headers: [["Authorization", `Bearer MARKED-${number}-OPAQUE`]] }, redactor);
  const body = JSON.stringify({ a: "MARKED-199-OPAQUE is new", b: "MARKED-136-OPAQUE", c: "MARKED-135-OPAQUE is old" });
  expect(redacted({ body }, redactor).body).toBe(
    '{"a":"token-100 is new","b":"token-37","c":"MARKED-135-OPAQUE is old"}',
  );
});
