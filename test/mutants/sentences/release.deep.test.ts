import { testLiveChecks } from "./_live.ts";

testLiveChecks("canton-3.5");
