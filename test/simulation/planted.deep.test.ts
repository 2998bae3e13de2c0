import { beforeAll, test } from "vitest";
import { plantedFaults } from "./_planted.ts";
import { expectPlantedFound } from "./_planted-found.ts";
import { openStock, type Stock } from "./_stock.ts";

let stock: Stock;
beforeAll(async () => {
  stock = await openStock();
});

test.each(Object.keys(plantedFaults))("finds that %s, and shrinks the walk to a few events", (name) =>
  expectPlantedFound(name, stock),
);
