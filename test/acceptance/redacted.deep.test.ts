import { test } from "vitest";
import { expectSameFindings } from "./_redacted-findings.ts";
import { scenarioFiles } from "./_scenario-traffic.ts";

test.each(scenarioFiles)("%s has the same findings when it is redacted, in every profile", (file) =>
  expectSameFindings(file),
);
