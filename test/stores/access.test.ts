import { testAccess } from "./_access-tests.ts";
import { sqliteUrl } from "./_replicas.ts";

testAccess(sqliteUrl);
