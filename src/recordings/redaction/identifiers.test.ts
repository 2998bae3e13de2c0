import { expect, test } from "vitest";
import { redacted as redactedParts, sent } from "../../../test/_redacted.ts";
import { createRedactor, createRestorer } from "./redactor.ts";

const digits = (letter: string) => letter.repeat(64);
const alice = `alice::1220${digits("a")}`;
const bob = `bob the-builder:1::1220${digits("b")}`;

function redacted(body: object, target = "/v2/idps", responseBody: object = {}) {
  const redactor = createRedactor();
  const parts = redactedParts({ target, body, status: 400, responseBody }, redactor);
  return { redactor, target: parts.target, body: JSON.parse(parts.body), response: JSON.parse(parts.response) };
}

test("recognizes a hint with spaces, also in a later sentence", () => {
  const { body, response } = redacted({ party: bob }, "/", { cause: `No ${bob} here.` });
  expect(body.party).toMatch(/^party-1::1220[0-9a-f]{64}$/);
  expect(response.cause).toBe(`No ${body.party} here.`);
});

test("a sentence that ends in a party is not an id", () => {
  const { body } = redacted({ party: alice, note: `pay to ${alice}` }, "/");
  expect(body.note).toBe(`pay to ${body.party}`);
  expect(redacted({}, "/", { cause: `Unknown party ${alice}` }).response.cause).toMatch(/^Unknown party party-1::1220/);
});

test("keeps hex digits in capitals, which are not a contract id", () => {
  const { body } = redacted({ contractId: `00${digits("A")}CA121220${digits("B")}` });
  expect(body.contractId).toMatch(/^0007[0-9A-F]{62}CA12122007[0-9A-F]{62}$/);
  expect(body.contractId).not.toContain("AAAAAAAA");
});

test("an invalid id stays invalid", () => {
  const { body } = redacted({ a: `al/${alice}`, b: "alice::", c: `${alice}::x`, d: `x@${alice}`, e: `${alice}ff` });
  expect(body).toEqual({
    a: expect.stringMatching(/^al\/party-1::/),
    b: "alice::",
    c: expect.stringMatching(/^party-1::1220[0-9a-f]{64}::x$/),
    d: expect.stringMatching(/^x@party-1::/),
    e: expect.stringMatching(/::1220[0-9a-f]{66}$/),
  });
});

test("gives a short contract id of the newer form a longer one, and restores it", () => {
  const target = "/registry/transfer-instruction/v2/01abcd/choice-contexts/accept";
  const { redactor, body, target: renamed } = redacted({ contractId: "01abcd", long: `01${"cd".repeat(30)}` }, target);
  expect(body).toEqual({
    contractId: expect.stringMatching(/^01[0-9a-f]{64}$/),
    long: expect.stringMatching(/^01[0-9a-f]{60}$/),
  });
  expect(renamed).toBe(target.replace("01abcd", body.contractId));
  const back = createRestorer(redactor.names())(sent({ body, target: renamed })).request;
  expect(back.target).toBe(target);
  expect(back.body.text()).toContain('"contractId":"01abcd"');
});

test("gives a hash one name in base64, in hex and as a request id; keeps package ids", () => {
  const hash = digits("7");
  const multiHash = Buffer.from(`1220${hash}`, "hex").toString("base64");
  const { body, response } = redacted({ multiHash, hash, packageId: digits("9") }, "/", { correlationId: hash });
  expect(body.hash).not.toBe(hash);
  expect(Buffer.from(body.multiHash, "base64").toString("hex")).toBe(`1220${body.hash}`);
  expect([response.correlationId, body.packageId]).toEqual([body.hash, digits("9")]);
});

test("renames the command id of a submission, also in the text and context of an error", () => {
  const given = { submissionId: "pay/rent#1", partyHint: "carol" };
  const context = { existing_submission_id: "pay/rent#1", note: "of carol", earliest_offset: "7" };
  const { response } = redacted(given, "/", { cause: "There is pay/rent#1.", context });
  expect(response).toMatchObject({
    cause: "There is correlation-1.",
    context: { existing_submission_id: "correlation-1", note: "of party-1", earliest_offset: "1000000000000" },
  });
});

test("renames the offset of a deduplication period", () => {
  const deduplicationPeriod = { DeduplicationOffset: { value: 7 } };
  const duration = { DeduplicationDuration: { value: { seconds: 7 } } };
  expect(redacted({ deduplicationPeriod, duration }).body).toEqual({
    deduplicationPeriod: { DeduplicationOffset: { value: 1_000_000_000_000 } },
    duration,
  });
});

test("treats a user id that looks like a trace id as a user id", () => {
  const user = "ab".repeat(16);
  const { target, response } = redacted({}, `/v2/users/${user}`, {
    cause: `no user ${user}`,
    traceId: "cd".repeat(16),
  });
  expect(target).toBe(`/v2/users/${user}`);
  expect(response.cause).toBe(`no user ${user}`);
  expect(response.traceId).not.toBe("cd".repeat(16));
});
