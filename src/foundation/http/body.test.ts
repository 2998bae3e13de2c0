import fc from "fast-check";
import { expect, test } from "vitest";
import { Body } from "./body.ts";
import type { Message } from "./message.ts";
import type { Request } from "./request.ts";
import { type Response, withHeaders } from "./response.ts";

// A byte order mark is not part of the text of bytes.
const text = fc.string({ unit: "grapheme" }).filter((drawn) => !drawn.includes("\uFEFF"));
const body = fc.oneof(text, fc.array(text), fc.uint8Array()).map((content) => new Body(content));
const headers = fc.array(fc.tuple(fc.string(), fc.string()));
const request: fc.Arbitrary<Request> = fc.record({ method: fc.string(), target: fc.string(), headers, body });
const response: fc.Arbitrary<Response> = fc.record({
  type: fc.constant("response" as const),
  status: fc.integer(),
  headers,
  body,
});

function readings({ body }: Message) {
  return [body.text(), body.bytes(), body.size, body.storedLength];
}

test("spreading a request or a response keeps text, bytes and size of its body", () => {
  fc.assert(
    fc.property(request, response, (sent, received) => {
      const [otherRequest, otherResponse] = [
        { ...sent, target: "/other" },
        { ...received, status: 500 },
      ];
      expect(readings(otherRequest)).toEqual(readings(sent));
      expect(readings(otherResponse)).toEqual(readings(received));
      expect(readings(withHeaders(received, [["X-A", "b"]]))).toEqual(readings(received));
    }),
  );
});

test("text, bytes and size agree, however the body was given", () => {
  fc.assert(
    fc.property(fc.array(text), (parts) => {
      const whole = parts.join("");
      const bytes = Buffer.from(whole);
      for (const content of [whole, parts, new Uint8Array(bytes)]) {
        const given = new Body(content);
        expect([given.text(), Buffer.from(given.bytes()), given.size]).toEqual([whole, bytes, bytes.length]);
        expect(given.storedLength).toBeLessThanOrEqual(given.size);
        expect(given.storedLength === 0).toBe(given.size === 0);
      }
    }),
  );
});

test("the text of bytes that are not UTF-8 has replacement characters", () => {
  const given = new Body(new Uint8Array([0x61, 0xff]));
  expect([given.isText, given.text(), given.size]).toEqual([false, "a\uFFFD", 2]);
});

test("bytes that a reader of a text changes are not those of the next reader", () => {
  const sentAgain = new Body("text", new TextEncoder().encode("text"));
  sentAgain.bytes().fill(0);
  expect(new TextDecoder().decode(sentAgain.bytes())).toBe("text");
});
