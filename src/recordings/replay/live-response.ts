import { Body } from "../../foundation/http/body.ts";
import type { Response } from "../../foundation/http/response.ts";
import { jsonOf } from "../../foundation/json/json.ts";
import { type Part, partsOf } from "../../foundation/spec/name-parts.ts";
import type { NameReader } from "./name-kinds.ts";
import type { NamePairs } from "./name-pairs.ts";
import { rewriteJson } from "./rewrite-json.ts";

/** A recorded response with the client's names. Nothing else changes. */
export function liveResponse(recorded: Response, read: NameReader, names: NamePairs): Response {
  const text = recorded.body.text();
  const isError = recorded.status >= 400;
  const becomes =
    jsonOf(text) === undefined
      ? liveWords(text, names)
      : rewriteJson(text, {
          text: (value, path) => (isError ? liveErrorText(value, names) : liveTexts(read(value, path), names)),
          member: (name) => liveTexts(partsOf(name), names),
        });
  if (becomes === text) return recorded;
  const { type, status, headers } = recorded;
  return { type, status, headers, body: new Body(becomes) };
}

function liveTexts(parts: readonly Part[], names: NamePairs): string {
  names.show(parts);
  return parts.map((part) => names.liveText(part)).join("");
}

/** Translates names in an error: in sentences, and in values without a specified syntax. */
function liveErrorText(text: string, names: NamePairs): string {
  const parts = partsOf(text);
  return parts.length > 1 && !/\s/.test(text) ? liveTexts(parts, names) : liveWords(text, names);
}

/** Longer texts are not prose. */
const wordsLengthMax = 100_000;

/** Prose with the client's names in place of recorded ones. */
function liveWords(text: string, names: NamePairs): string {
  if (!names.hasRenamed || text.length > wordsLengthMax) return text;
  return text.replaceAll(
    /[A-Za-z0-9_](?:[A-Za-z0-9_@+~#.-]*[A-Za-z0-9_])?(::)?/g,
    (found, colons: string | undefined) => {
      const word = colons === undefined ? found : found.slice(0, -colons.length);
      const hex = names.liveText({ type: "name", space: "", text: word });
      const live = hex === word ? names.liveWord(word, colons !== undefined) : hex;
      return `${live}${colons ?? ""}`;
    },
  );
}
