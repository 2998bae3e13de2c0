import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { root, temporaryFolder } from "./_command-line.ts";
import { stepsOf } from "./_guide.ts";
import { pages, pageText } from "./_pages.ts";

const source = (file: string): string => join(root, "src", file);
const compilerOptions = {
  ...{
    noEmit: true,
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
  },
  ...{ target: "es2024", module: "nodenext", allowImportingTsExtensions: true, resolveJsonModule: true },
  ...{ lib: ["es2024", "esnext.disposable", "esnext.collection"], types: ["node"] },
  paths: {
    "canton-understudy": [source("index.ts")],
    "canton-understudy/browser": [source("entrypoints/library/in-page.ts")],
    "canton-understudy/*": [source("entrypoints/testing/*.ts")],
  },
};

/** The problems that the compiler finds in programs, by the path of their files. */
function problemsOf(programs: Readonly<Record<string, string>>): readonly string[] {
  const folder = temporaryFolder();
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["pages"] }));
  for (const [name, text] of Object.entries(programs)) {
    mkdirSync(dirname(join(folder, "pages", name)), { recursive: true });
    writeFileSync(join(folder, "pages", name), text);
  }
  try {
    execFileSync(join(root, "node_modules/.bin/tsc"), ["-p", "."], { cwd: folder, encoding: "utf8", stdio: "pipe" });
    return [];
  } catch (error) {
    const out = error instanceof Error && "stdout" in error ? String(error.stdout) : String(error);
    return out.trim().split("\n");
  }
}

test("the TypeScript samples of all pages compile against the public types", { timeout: 240_000 }, () => {
  const samples = pages.flatMap((page) =>
    stepsOf(pageText(page)).flatMap((step) =>
      step.type === "file" && step.name.endsWith(".ts") ? [[`${page}/${step.name}`, step.text] as const] : [],
    ),
  );
  expect(samples.length).toBeGreaterThan(5);
  expect(problemsOf(Object.fromEntries(samples))).toEqual([]);
});

test("the compiler finds a misspelt operation in a sample", { timeout: 240_000 }, () => {
  const sample = 'import { createUnderstudy } from "canton-understudy";\ncreateUnderstudy().fault("getV2User", {});\n';
  expect(problemsOf({ "page/sample.ts": sample })).toEqual([expect.stringContaining('"getV2User"')]);
});
