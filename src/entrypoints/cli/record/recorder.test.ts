import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { exchangeOf } from "../../../../test/_exchange.ts";
import { Body } from "../../../foundation/http/body.ts";
import type { Exchange } from "../../../foundation/http/exchange.ts";
import type { Response } from "../../../foundation/http/response.ts";
import { recordingLimits } from "../../../recordings/har/recording-limits.ts";
import { NamesExhausted } from "../../../recordings/redaction/pseudonyms.ts";
import type { ForwardedExchange } from "../../../transport/proxy/forwarded-exchange.ts";
import { Recorder, type RecorderOptions } from "./recorder.ts";
import type { AppendOutcome } from "./recording-file.ts";

function passedWith(response: Partial<Response>): ForwardedExchange {
  const body = response.body ?? new Body("hi");
  const whole = { type: "response", status: 200, headers: [], ...response, body } as const;
  return {
    exchange: exchangeOf({ target: "http://node/v2/users?a", response: whole }),
    reasonPhrase: "OK",
    timings: { connect: undefined, send: 0, wait: 1, receive: 0 },
    requestBytes: 0,
    responseBytes: body.size,
    omission: undefined,
  };
}

const unredacted = { redact: (exchange: Exchange) => exchange, redactText: (text: string) => text, leaksIn: () => [] };

function recorderOf(more: Partial<RecorderOptions> = {}, outcome: AppendOutcome = "written") {
  const [lines, checked, warnings]: [string[], Exchange[], string[]] = [[], [], []];
  const recorder = new Recorder({
    redactor: unredacted,
    file: {
      append: async (line) => {
        lines.push(line);
        return outcome;
      },
    },
    checker: { add: (exchange) => checked.push(exchange) },
    warn: (sentence) => warnings.push(sentence),
    onRecorded: () => undefined,
    ...more,
  });
  return { recorder, lines, checked, warnings };
}

test("writes and checks the decoded and redacted exchange", async () => {
  const decoded: string[] = [];
  const redact = (exchange: Exchange): Exchange => {
    if (exchange.response.type === "response") decoded.push(exchange.response.body.text());
    return { ...exchange, request: { ...exchange.request, target: "http://node/redacted" } };
  };
  const { recorder, lines, checked } = recorderOf({ redactor: { ...unredacted, redact } });
  const body = new Body(gzipSync("decoded"));
  await recorder.take(passedWith({ headers: [["Content-Encoding", "gzip"]], body }));
  expect(decoded).toEqual(["decoded"]);
  expect(checked[0]?.request.target).toBe("http://node/redacted");
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({
    request: { url: "http://node/redacted" },
    response: { bodySize: body.size, content: { text: "decoded", size: 7, compression: 7 - body.size } },
  });
  expect(recorder.counts).toEqual({ recorded: 1, cut: 0, withheld: 0, unnamed: 0, dropped: 0 });
});

test("an exchange with a remaining secret is not written, and one warning is printed", async () => {
  const leaksIn = () => [{ kind: "jwt", pointer: "/request/url", within: "" } as const];
  const { recorder, lines, checked, warnings } = recorderOf({ redactor: { ...unredacted, leaksIn } });
  await Promise.all([recorder.take(passedWith({})), recorder.take(passedWith({}))]);
  expect([lines, checked.length]).toEqual([[], 2]);
  expect(warnings).toEqual(["GET /v2/users is not recorded: a JWT would remain. The summary counts further ones."]);
  expect(recorder.counts).toEqual({ recorded: 0, cut: 0, withheld: 2, unnamed: 0, dropped: 0 });
});

test("the reason phrase is redacted too", async () => {
  const redactText = (text: string) => text.replace("OK", "fine");
  const { recorder, lines } = recorderOf({ redactor: { ...unredacted, redactText } });
  await recorder.take(passedWith({}));
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ response: { statusText: "fine" } });
});

test("an exchange with too many ids is neither written nor checked", async () => {
  const redact = () => {
    throw new NamesExhausted("7 names");
  };
  const { recorder, lines, checked, warnings } = recorderOf({ redactor: { ...unredacted, redact } });
  await recorder.take(passedWith({}));
  expect([lines, checked, recorder.counts.unnamed]).toEqual([[], [], 1]);
  expect(warnings[0]).toMatch(/^An exchange is not recorded: .*\. Start another recording\. /);
});

test("an exchange that a slow disk drops is counted, with a warning", async () => {
  const { recorder, warnings } = recorderOf({}, "dropped");
  await recorder.take(passedWith({}));
  expect(recorder.counts).toMatchObject({ recorded: 0, dropped: 1 });
  expect(warnings[0]).toContain("the disk is too slow");
});

test("an entry that would be too long to read again has no bodies", async () => {
  const { recorder, lines, warnings } = recorderOf();
  await recorder.take(passedWith({ body: new Body(new Uint8Array(12 * 1024 * 1024)) }));
  expect(lines[0]?.length).toBeLessThan(recordingLimits.entryBytesMax);
  expect(JSON.parse(lines[0] ?? "").response).toMatchObject({
    status: 200,
    content: { size: 12 * 1024 * 1024 },
    comment: "unexplained: the bodies are omitted: the entry would be too long to read",
  });
  expect(warnings[0]).toContain("is incomplete: the bodies are omitted");
  expect(recorder.counts).toMatchObject({ recorded: 1, cut: 1 });
});

test("is idle when no exchange is in progress", async () => {
  const file = Promise.withResolvers<AppendOutcome>();
  const { recorder } = recorderOf({ file: { append: () => file.promise } });
  const recording = recorder.take(passedWith({}));
  let isIdle = false;
  const idle = recorder.idle().then(() => {
    isIdle = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(isIdle).toBe(false);
  file.resolve("written");
  await Promise.all([recording, idle]);
  expect(recorder.counts.recorded).toBe(1);
});
