import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { Body, emptyBody } from "../../foundation/http/body.ts";
import { curlLine, portableWord, shellWord } from "./curl-line.ts";

const line = (method: string, headers: readonly (readonly [string, string])[], body = "", target = "/v2/users") =>
  curlLine({ method, target, headers, body: new Body(body) });

test.each([
  ["a host of the request", line("GET", [["Host", "h:1"]]), 'curl -sS "http://h:1/v2/users"'],
  ["no host", line("GET", []), `curl -sS "$BASE_URL"'/v2/users'`],
  ["a whole URL", line("GET", [["Host", "h"]], "", "https://a/v2"), 'curl -sS "https://a/v2"'],
  ["a GET with a body", line("GET", [], "x"), `curl -sS -X GET --data-raw "x" "$BASE_URL"'/v2/users'`],
  ["another method", line("DELETE", []), `curl -sS -X DELETE "$BASE_URL"'/v2/users'`],
  ["a quote", line("POST", [], "it's"), `curl -sS -X POST --data-raw "it's" "$BASE_URL"'/v2/users'`],
  [
    "headers that curl sends itself",
    line("GET", [
      ["Content-Length", "1"],
      ["Accept", "*/*"],
      ["accept", "text/plain"],
    ]),
    `curl -sS -H "accept: text/plain" "$BASE_URL"'/v2/users'`,
  ],
  [
    "secrets",
    line("GET", [
      ["authorization", "Bearer s"],
      ["X-Api-Key", "s"],
    ]),
    `curl -sS -H "Authorization: Bearer $TOKEN" -H "X-Api-Key: $SECRET" "$BASE_URL"'/v2/users'`,
  ],
])("writes %s", (_name, written, expected) => {
  expect(written).toBe(expected);
});

test.each([
  ["administrator", "Bearer s", '"Authorization: Bearer $TOKEN"'],
  ["plain", "Bearer s", '"Authorization: Bearer $PLAIN_TOKEN"'],
  ["expired", "Bearer s", '"Authorization: Bearer $EXPIRED_TOKEN"'],
  ["invalid", "Bearer s", '"Authorization: Bearer $INVALID_TOKEN"'],
  ["none", "Basic YTpi", '"Authorization: Basic $CREDENTIALS"'],
  ["none", "Bearer", '"Authorization: Bearer"'],
] as const)("names a token that is worth %s, sent as %s", (worth, value, word) => {
  const request = {
    method: "GET",
    target: "/v2/users",
    headers: [["Authorization", value]],
    body: emptyBody,
  } as const;
  expect(curlLine(request, worth)).toBe(`curl -sS -H ${word} "$BASE_URL"'/v2/users'`);
});

/** The words of a command line of Windows (the rules of CommandLineToArgvW), without the name of the program. */
function windowsWords(line: string): readonly string[] {
  const words = [""];
  let isQuoted = false;
  for (const [token, slashes = "", quote] of line.matchAll(/(\\*)(")|[\s\S]/g))
    if (quote !== undefined) {
      words.push((words.pop() ?? "") + "\\".repeat(Math.floor(slashes.length / 2)));
      if (slashes.length % 2 === 1) words.push(`${words.pop() ?? ""}"`);
      else isQuoted = !isQuoted;
    } else if (token === " " && !isQuoted) words.push("");
    else words.push((words.pop() ?? "") + token);
  return words;
}

const body = JSON.stringify({
  userId: "alice",
  rights: [{ kind: { CanActAs: { value: { party: "a::12" } } } }],
  o: "it's",
});

test.each([body, "http://h/v2/users?pageSize=2&pageToken=", "Content-Type: application/json", "%3A%3A", "", "a b"])(
  "a word in double quotes is the same in a POSIX shell and on Windows: %s",
  (text) => {
    expect(portableWord(text).startsWith('"')).toBe(true);
    expect(windowsWords(`${portableWord(text)} x`)).toEqual([text, "x"]);
    expect(execFileSync("sh", ["-c", `printf %s ${portableWord(text)}`], { encoding: "utf8" })).toBe(text);
  },
);

test.each(["$TOKEN", "`x`", 'a\\"b', "wow!", "a\nb", '{"a":"x&y"}', '{"a":"<b>"}', '{"a":"x^y"}'])(
  "a word that shells read in different ways is for a POSIX shell alone: %j",
  (text) => {
    expect(portableWord(text)).toBe(shellWord(text));
    expect(execFileSync("sh", ["-c", `printf %s ${portableWord(text)}`], { encoding: "utf8" })).toBe(text);
  },
);
