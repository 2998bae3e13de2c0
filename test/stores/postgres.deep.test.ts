import { PostgresForTests } from "./_postgres.ts";
import { testStore } from "./_store-tests.ts";

const postgres = new PostgresForTests();

testStore(() => postgres.newUrl());
