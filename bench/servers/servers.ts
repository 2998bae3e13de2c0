import type { ServerKind } from "./_server.ts";
import { bare } from "./bare.ts";
import { mockoon } from "./mockoon.ts";
import { prism } from "./prism.ts";
import { specmatic } from "./specmatic.ts";
import { understudy } from "./understudy.ts";
import { wiremock } from "./wiremock.ts";

/** The servers in the order of measurement and display. */
export const serverKinds: readonly ServerKind[] = [understudy, bare, prism, mockoon, wiremock, specmatic];
