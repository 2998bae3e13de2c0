import { testAccess } from "./_access-tests.ts";
import { PostgresForTests } from "./_postgres.ts";
import { testStore } from "./_store-tests.ts";

const postgres = new PostgresForTests();

testStore(() => postgres.newUrl());
testAccess(() => postgres.newUrl());
