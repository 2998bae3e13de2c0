import { expect, test } from "vitest";
import { readRecording } from "./read-recording.ts";

const request = { method: "POST", url: "http://a/v2/users", headers: { Host: "a" }, body: { b: 1 } };
const bodies = (text: string) => {
  const recording = readRecording(text);
  if (recording.type === "mistaken") return recording.problem;
  return recording.exchanges.map(({ request: { body }, answer }) =>
    [body, answer.type === "response" ? answer.body : new Uint8Array()].map((bytes) => new TextDecoder().decode(bytes)),
  );
};

test("reads one noted exchange: a body that is text as it is, any other as JSON, none as nothing", () => {
  const noted = (body?: unknown) => JSON.stringify({ request, response: { status: 400, headers: {}, body } });
  expect(bodies(noted("no such user"))).toEqual([['{"b":1}', "no such user"]]);
  expect(bodies(noted({ error: "x" }))).toEqual([['{"b":1}', '{"error":"x"}']]);
  expect(bodies(noted())).toEqual([['{"b":1}', ""]]);
});

test("takes a file with a log for HAR, whatever else it has", () => {
  const entry = { request: { method: "GET", url: "http://a/" }, response: { status: 200, content: { text: "{}" } } };
  expect(bodies(JSON.stringify({ log: { entries: [entry] }, request, response: { status: 200 } }))).toEqual([
    ["", "{}"],
  ]);
});

test("takes an exchange without a status for none", () => {
  expect(bodies(JSON.stringify({ request, response: { headers: {} } }))).toBe("it has no log.entries");
});
