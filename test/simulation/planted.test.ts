import { beforeAll, test } from "vitest";
import { sampleOf } from "../_sample.ts";
import { plantedFaults } from "./_planted.ts";
import { expectPlantedFound } from "./_planted-found.ts";
import { openStock, type Stock } from "./_stock.ts";

let stock: Stock;
beforeAll(async () => {
  stock = await openStock();
});

test.each(sampleOf(Object.keys(plantedFaults), 3))("finds that %s, and shrinks the walk to a few events", (name) =>
  expectPlantedFound(name, stock),
);
