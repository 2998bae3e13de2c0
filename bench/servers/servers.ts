import type { ServerKind } from "./_server.ts";
import { bare } from "./bare.ts";
import { mockoon } from "./mockoon.ts";
import { prism } from "./prism.ts";
import { specmatic } from "./specmatic.ts";
import { understudy } from "./understudy.ts";
import { wiremock } from "./wiremock.ts";

/** In the order in which they are measured and shown. */
export const serverKinds: readonly ServerKind[] = [understudy, bare, prism, mockoon, wiremock, specmatic];
