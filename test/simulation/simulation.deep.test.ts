import { test } from "vitest";
import { expectSoundWalks } from "./_sound-walks.ts";

test("20,000 requests of random walks break no invariant and no rule", () => expectSoundWalks(20_000));
