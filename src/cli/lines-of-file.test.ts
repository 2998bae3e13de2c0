import { closeSync, mkdtempSync, openSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { linesFrom } from "./lines-of-file.ts";

test.each([["a\nbb\n\nccc\nd\n"], ["a\nbb\n\nccc\nd"], ["a\n"]])(
  "parts of any length give each line once: %j",
  (text) => {
    const file = join(mkdtempSync(join(tmpdir(), "understudy-")), "x");
    writeFileSync(file, text);
    const descriptor = openSync(file, "r");
    for (let length = 1; length <= text.length; length += 1) {
      let whole = "";
      for (let at = 2; at < text.length; at += length) {
        const lines = linesFrom(descriptor, at, length);
        const found = new TextDecoder().decode(lines?.bytes);
        expect(text.slice(lines?.at).startsWith(found)).toBe(true);
        whole += found;
      }
      expect(whole).toBe(text.slice(2));
    }
    closeSync(descriptor);
  },
);
