import { expect, test } from "vitest";
import { type FileReader, fixtureRefusal } from "./file-reader.ts";

test.each(["/project/fixtures/ledger.yaml", "C:\\project\\fixtures\\ledger.yaml"])(
  "suggests a fixture as the scenario names it, beside the path of the system: %s",
  (similar) => {
    const files: FileReader = {
      read: () => undefined,
      resolve: (_, name) => name,
      unreadable: () => "does not exist",
      similar: () => similar,
    };
    expect(fixtureRefusal("scenarios/x.arazzo.yaml", "../fixtures/leger.yaml", files)?.advice).toBe(
      'Did you mean "../fixtures/ledger.yaml"?',
    );
  },
);
