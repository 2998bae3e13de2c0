import { test } from "vitest";
import { expectSoundWalks } from "./_sound-walks.ts";

test("1,000 requests of random walks break no invariant and no rule", () => expectSoundWalks(1000));
