import { sqliteUrl } from "./_replicas.ts";
import { testStore } from "./_store-tests.ts";

testStore(sqliteUrl);
