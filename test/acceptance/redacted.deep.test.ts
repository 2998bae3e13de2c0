import { test } from "vitest";
import { scenarioFiles } from "../_scenario.ts";
import { expectSameFindings } from "./_redacted-findings.ts";

test.each(scenarioFiles)("%s has the same findings when it is redacted, in every profile", (file) =>
  expectSameFindings(file),
);
