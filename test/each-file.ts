// vitest runs this for each test file.
import fc from "fast-check";
import { afterAll } from "vitest";
import { endFile } from "./_after-file.ts";
import { seed } from "./_seed.ts";

fc.configureGlobal({ seed });
afterAll(endFile);
