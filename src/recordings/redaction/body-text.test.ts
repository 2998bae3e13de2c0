import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { textOfBytes } from "./body-text.ts";

test("bytes that are compressed twice are no text, whatever their charset says", () => {
  const once = gzipSync('{"password":"MARKED1secret"}');
  expect(textOfBytes(once, false)).toContain("MARKED1secret");
  for (const charset of ["latin1", "utf-8", undefined])
    expect(textOfBytes(gzipSync(once), false, charset)).toBeUndefined();
});
