// vitest runs this for each test file.
import { afterAll } from "vitest";
import { endFile } from "./_after-file.ts";

afterAll(endFile);
