import { testServers } from "./_single.ts";
import { rows } from "./rows.ts";

testServers("spec", rows);
testServers("canton-3.5", rows);
