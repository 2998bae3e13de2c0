import type { CheckedExchange, ExchangeRule, Finding } from "../rule.ts";
import { usersPage } from "../sample-bodies.ts";
import { users } from "../sample-users.ts";

const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * JSON is exchanged in UTF-8 (RFC 8259, section 8.1), whatever the charset of its media type. The spec gives error texts no
 * charset.
 */
export const bodyIsUtf8: ExchangeRule = {
  type: "exchange",
  id: "body-is-utf8",
  section: "4",
  severity: "error",
  summary: "A body that is JSON or text is valid UTF-8, and JSON is not labelled with another charset.",
  appliesTo: ({ mediaType }) => mediaType === "application/json" || mediaType === "text/plain",
  check: (checked) => [
    // Invalid UTF-8 leaves the replacement character in the decoded text.
    ...(checked.responseBody.text().includes("\uFFFD") ? findings(checked.responseBody.bytes()) : []),
    ...wrongCharset(checked),
  ],
  examples: {
    kept: [
      { ...users, name: "a page of users" },
      { ...users, name: "a replacement character sent on purpose", body: usersPage.replace('""', '"\uFFFD"') },
      {
        ...users,
        name: "a text with an umlaut",
        status: 400,
        contentType: "text/plain; charset=UTF-8",
        body: "Invalid value for: query parameter ä",
      },
    ],
    broken: [
      { ...users, name: "JSON in Latin-1", body: "", bodyBase64: "eyJ1c2VycyI6W10sIm5leHRQYWdlVG9rZW4iOiLkIn0=" },
      {
        ...users,
        name: "JSON labelled as Latin-1",
        contentType: "application/json; charset=ISO-8859-1",
        body: usersPage,
      },
      {
        ...users,
        name: "text truncated within a character",
        status: 400,
        contentType: "text/plain",
        body: "",
        bodyBase64: "YcM=",
      },
    ],
  },
};

function findings(body: Uint8Array): readonly Finding[] {
  try {
    decoder.decode(body);
    return [];
  } catch {
    return [{ expected: "UTF-8", actual: "bytes that are not UTF-8", pointer: "" }];
  }
}

/** US-ASCII is a part of UTF-8. */
const compatible: ReadonlySet<string> = new Set(["utf-8", "utf8", "us-ascii", "ascii"]);

function wrongCharset({ charset, mediaType }: CheckedExchange): readonly Finding[] {
  if (mediaType !== "application/json" || charset === undefined || compatible.has(charset)) return [];
  return [{ expected: "the charset UTF-8, or none", actual: charset, pointer: "", keyword: "charset" }];
}
