import { join } from "node:path";
import { expect, test } from "vitest";
import { besideConfig } from "./read-config.ts";

test.each(["/x/a.yaml", "C:/x/a.yaml", "c:\\x\\a.yaml", "\\\\server\\share\\a.yaml", "https://node.example"])(
  "a path of a config file in a folder stays as it is if it is absolute on some system: %s",
  (path) => {
    expect(besideConfig({ name: "tests/understudy.config.ts" }, path)).toBe(path);
  },
);

test("a relative path of a config file starts from the folder of the file", () => {
  expect(besideConfig({ name: "tests/understudy.config.ts" }, "a.yaml")).toBe(join("tests", "a.yaml"));
  expect(besideConfig({ name: "understudy.config.ts" }, "a.yaml")).toBe("a.yaml");
});
