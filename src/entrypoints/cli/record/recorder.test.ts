import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { Body, emptyBody } from "../../../foundation/http/body.ts";
import type { Exchange } from "../../../foundation/http/exchange.ts";
import type { Response } from "../../../foundation/http/response.ts";
import { entryBytesMax } from "../../../recordings/har/entry-cutter.ts";
import { NamesExhausted } from "../../../recordings/redaction/pseudonyms.ts";
import type { Passed } from "../../../transport/proxy/passed.ts";
import { Recorder, type RecorderOptions } from "./recorder.ts";
import type { Appended } from "./recording-file.ts";

function passedWith(response: Partial<Response>): Passed {
  const request = { method: "GET", target: "http://node/v2/users?a", headers: [], body: emptyBody };
  const body = response.body ?? new Body("hi");
  return {
    exchange: {
      startedAt: "2026-01-01T00:00:00.000Z",
      durationMs: 1,
      request,
      response: { type: "response", status: 200, headers: [], ...response, body },
    },
    reasonPhrase: "OK",
    timings: { connect: undefined, send: 0, wait: 1, receive: 0 },
    requestBytes: 0,
    responseBytes: body.size,
    leftOut: undefined,
  };
}

const asItIs = { redact: (exchange: Exchange) => exchange, redactText: (text: string) => text, leaksIn: () => [] };

function recorderOf(more: Partial<RecorderOptions> = {}, outcome: Appended = "written") {
  const [lines, checked, warned]: [string[], Exchange[], string[]] = [[], [], []];
  const recorder = new Recorder({
    redactor: asItIs,
    file: {
      append: async (line) => {
        lines.push(line);
        return outcome;
      },
    },
    checker: { add: (exchange) => checked.push(exchange) },
    warn: (sentence) => warned.push(sentence),
    onRecorded: () => undefined,
    ...more,
  });
  return { recorder, lines, checked, warned };
}

test("what is written and checked is what was decoded and then redacted", async () => {
  const seen: string[] = [];
  const redact = (exchange: Exchange): Exchange => {
    if (exchange.response.type === "response") seen.push(exchange.response.body.text());
    return { ...exchange, request: { ...exchange.request, target: "http://node/redacted" } };
  };
  const { recorder, lines, checked } = recorderOf({ redactor: { ...asItIs, redact } });
  const body = new Body(gzipSync("decoded"));
  await recorder.take(passedWith({ headers: [["Content-Encoding", "gzip"]], body }));
  expect(seen).toEqual(["decoded"]);
  expect(checked[0]?.request.target).toBe("http://node/redacted");
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({
    request: { url: "http://node/redacted" },
    response: { bodySize: body.size, content: { text: "decoded", size: 7, compression: 7 - body.size } },
  });
  expect(recorder.counts).toEqual({ recorded: 1, cut: 0, withheld: 0, unnamed: 0, dropped: 0 });
});

test("an exchange that would leak is not written, and said once", async () => {
  const leaksIn = () => [{ kind: "jwt", pointer: "/request/url", within: "" } as const];
  const { recorder, lines, checked, warned } = recorderOf({ redactor: { ...asItIs, leaksIn } });
  await Promise.all([recorder.take(passedWith({})), recorder.take(passedWith({}))]);
  expect([lines, checked.length]).toEqual([[], 2]);
  expect(warned).toEqual([
    "GET /v2/users is not recorded: a JWT would stand in it. Further ones are counted, and told at the end.",
  ]);
  expect(recorder.counts).toEqual({ recorded: 0, cut: 0, withheld: 2, unnamed: 0, dropped: 0 });
});

test("what the status line says is redacted too", async () => {
  const redactText = (text: string) => text.replace("OK", "fine");
  const { recorder, lines } = recorderOf({ redactor: { ...asItIs, redactText } });
  await recorder.take(passedWith({}));
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ response: { statusText: "fine" } });
});

test("what has more names than are remembered is neither written nor checked", async () => {
  const redact = () => {
    throw new NamesExhausted("7 names");
  };
  const { recorder, lines, checked, warned } = recorderOf({ redactor: { ...asItIs, redact } });
  await recorder.take(passedWith({}));
  expect([lines, checked, recorder.counts.unnamed]).toEqual([[], [], 1]);
  expect(warned[0]).toMatch(/^An exchange is not recorded, .*: begin another recording\. /);
});

test("what a slow disk drops is counted and said", async () => {
  const { recorder, warned } = recorderOf({}, "dropped");
  await recorder.take(passedWith({}));
  expect(recorder.counts).toMatchObject({ recorded: 0, dropped: 1 });
  expect(warned[0]).toContain("the disk is too slow");
});

test("an entry that would be too long to be read again goes without its bodies", async () => {
  const { recorder, lines, warned } = recorderOf();
  await recorder.take(passedWith({ body: new Body(new Uint8Array(12 * 1024 * 1024)) }));
  expect(lines[0]?.length).toBeLessThan(entryBytesMax);
  expect(JSON.parse(lines[0] ?? "").response).toMatchObject({
    status: 200,
    content: { size: 12 * 1024 * 1024 },
    comment: "unexplained: the bodies are left out: the entry would be too long to be read",
  });
  expect(warned[0]).toContain("is cut: the bodies are left out");
  expect(recorder.counts).toMatchObject({ recorded: 1, cut: 1 });
});

test("is idle when nothing is under way", async () => {
  const file = Promise.withResolvers<Appended>();
  const { recorder } = recorderOf({ file: { append: () => file.promise } });
  const taken = recorder.take(passedWith({}));
  let isIdle = false;
  const idle = recorder.idle().then(() => {
    isIdle = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(isIdle).toBe(false);
  file.resolve("written");
  await Promise.all([taken, idle]);
  expect(recorder.counts.recorded).toBe(1);
});
