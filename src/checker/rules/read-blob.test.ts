import { expect, test } from "vitest";
import { encodeCreatedEventBlob } from "../../foundation/protobuf/created-event-blob.ts";
import { readBlob } from "./read-blob.ts";

test("distinguishes a created event, other base64, and invalid base64", () => {
  const blob = encodeCreatedEventBlob({
    contractId: "00",
    packageName: "splice",
    templateId: "ab:Splice.Rules:Rules",
    createdAtMicros: 1n,
    signatories: [],
    createArgument: new Uint8Array(1),
  });
  expect(readBlob(blob)).toMatchObject({ isBase64: true, event: { contractId: "00" } });
  expect(readBlob("aGVsbG8=")).toEqual({ isBase64: true, event: undefined });
  expect(readBlob("?")).toEqual({ isBase64: false, event: undefined });
});
