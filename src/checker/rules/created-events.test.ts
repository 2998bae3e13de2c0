import { expect, test } from "vitest";
import { encodeCreatedEventBlob } from "../../foundation/protobuf/created-event-blob.ts";
import { blobLengthMax, blobsRememberedMax, CreatedEvents } from "./created-events.ts";

function blob(contractId: string, argumentBytes = 1): string {
  return encodeCreatedEventBlob({
    contractId,
    packageName: "splice",
    templateId: "ab:Splice.Rules:Rules",
    createdAtMicros: 1n,
    signatories: [],
    createArgument: new Uint8Array(argumentBytes),
  });
}

test("decodes a repeated blob once, and an evicted blob again", () => {
  const events = new CreatedEvents();
  const first = events.read(blob("00"));
  expect(first).toMatchObject({ isBase64: true, event: { contractId: "00" } });
  expect(events.read(blob("00"))).toBe(first);
  for (let index = 0; index < blobsRememberedMax; index += 1) events.read(blob(`01${String(index).padStart(4, "0")}`));
  expect(events.read(blob("00"))).toEqual(first);
  expect(events.read(blob("00"))).not.toBe(first);
});

test("does not cache a long blob", () => {
  const events = new CreatedEvents();
  const long = blob("00", blobLengthMax);
  expect(events.read(long)).not.toBe(events.read(long));
});

test("distinguishes invalid base64 from base64 that is not a created event", () => {
  const events = new CreatedEvents();
  expect(events.read("?")).toEqual({ isBase64: false, event: undefined });
  expect(events.read("aGVsbG8=")).toEqual({ isBase64: true, event: undefined });
});
